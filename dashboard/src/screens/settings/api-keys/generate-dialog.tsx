import { useQuery } from '@tanstack/react-query';
import type { ApiKeyCreate } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { accountQuery } from '../../../app/queries.js';
import { useConfirmed } from '../../../parts/dialogs/confirm-identity.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import {
  CheckboxField,
  FieldGroup,
  optionsOf,
  SelectField,
  TextArea,
  TextField,
} from '../../../parts/field.js';
import { type Expiry, expiryTime, type GrantedScope, type Preset, PRESETS } from './access.js';
import styles from './api-keys.module.css';
import { useWords } from './words.js';

type Values = {
  readonly name: string;
  readonly expiry: Expiry;
  readonly date: string;
  readonly preset: Preset;
  readonly scopes: GrantedScope[];
  readonly networks: string;
};

const FIRST: Values = { name: '', expiry: 'days90', date: '', preset: 'full', scopes: [], networks: '' };

export function GenerateDialog(dialog: {
  readonly onDone: (apiKey: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const account = useQuery(accountQuery);
  const hasScopes = account.data?.plan.advanced !== false;
  return (
    <FormDialog
      title={words.generate}
      submitLabel={words.submit}
      values={FIRST}
      action={async (values) => (await confirmed(() => api.keys.create(toBody(values)))).data.apiKey}
      {...dialog}
    >
      {({ field, register, watch }) => (
        <>
          <TextField label={words.name} description={words.nameHint} autoComplete="off" {...field('name')} />
          <SelectField
            label={words.expires}
            options={optionsOf(words.expiries)}
            {...field('expiry', 'expiresAt')}
          />
          {watch('expiry') === 'date' ? (
            <TextField label={words.expiryDate} type="date" {...register('date')} />
          ) : null}
          <SelectField
            label={words.access}
            options={optionsOf(words.presets)}
            description={hasScopes ? undefined : words.planOnlyFull}
            {...field('preset', 'scopes')}
            disabled={!hasScopes}
          />
          {watch('preset') === 'custom' ? (
            <FieldGroup label={words.scopes}>
              <div className={styles.scopes}>
                {Object.entries(words.scopeNames).map(([scope, name]) => (
                  <CheckboxField key={scope} label={name} value={scope} {...register('scopes')} />
                ))}
              </div>
            </FieldGroup>
          ) : null}
          <TextArea
            label={words.networks}
            description={words.networksHint}
            rows={2}
            {...field('networks', 'allowedNetworks')}
          />
        </>
      )}
    </FormDialog>
  );
}

function toBody({ name, expiry, date, preset, scopes, networks }: Values): ApiKeyCreate {
  const expiresAt = expiryTime(expiry, date);
  const allowedNetworks = networks.split(/[\s,]+/).filter((range) => range !== '');
  return {
    name: name.trim(),
    // A disabled select has no value.
    scopes: preset === 'custom' ? scopes : [...(PRESETS[preset] ?? PRESETS.full)],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(allowedNetworks.length === 0 ? {} : { allowedNetworks }),
  };
}
