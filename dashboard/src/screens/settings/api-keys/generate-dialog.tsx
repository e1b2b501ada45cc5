import { useMutation, useQuery } from '@tanstack/react-query';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { ApiKeyCreate } from '@smartlink/client';
import { accountQuery } from '../../../app/account.js';
import { api, queryClient } from '../../../app/api.js';
import { Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { Dialog, DialogActions } from '../../../parts/dialog.js';
import { faultsByPath } from '../../../parts/fault-text.js';
import { CheckboxField, FieldGroup, SelectField, TextArea, TextField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import { type Expiry, expiryTime, type GrantedScope, type Preset, PRESETS } from './access.js';
import styles from './api-keys.module.css';
import { NewKey } from './new-key.js';
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

export function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const confirmed = useConfirmed();
  const create = useMutation({
    mutationFn: (body: ApiKeyCreate) => confirmed(() => api.keys.create(body)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <Dialog isOpen title={words.generate} onClose={onClose}>
      {create.data === undefined ? (
        <GenerateForm
          error={create.error}
          isBusy={create.isPending}
          onCreate={create.mutate}
          onCancel={onClose}
        />
      ) : (
        <NewKey apiKey={create.data.data.apiKey} onDone={onClose} />
      )}
    </Dialog>
  );
}

function GenerateForm({
  error,
  isBusy,
  onCreate,
  onCancel,
}: {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onCreate: (body: ApiKeyCreate) => void;
  readonly onCancel: () => void;
}) {
  const words = useWords();
  const faults = faultsByPath(error, usePartsWords());
  const { register, handleSubmit, control } = useForm<Values>({ defaultValues: FIRST });
  const account = useQuery(accountQuery);
  const hasScopes = account.data?.plan.advanced !== false;
  const network = [...faults].find(([path]) => path.startsWith('allowedNetworks'))?.[1];
  const isKnown = ['name', 'expiresAt', 'scopes'].some((path) => faults.has(path)) || network !== undefined;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit((values) => onCreate(toBody(values)))(event)}>
      <FieldGroup>
        <TextField
          label={words.name}
          description={words.nameHint}
          error={faults.get('name')}
          autoComplete="off"
          {...register('name')}
        />
        <SelectField
          label={words.expires}
          options={optionsOf(words.expiries)}
          error={faults.get('expiresAt')}
          {...register('expiry')}
        />
        <ExpiryDate control={control} register={register} />
        <SelectField
          label={words.access}
          options={optionsOf(words.presets)}
          description={hasScopes ? undefined : words.planOnlyFull}
          disabled={!hasScopes}
          error={faults.get('scopes')}
          {...register('preset')}
        />
        <Scopes control={control} register={register} />
        <TextArea
          label={words.networks}
          description={words.networksHint}
          error={network}
          rows={2}
          {...register('networks')}
        />
        {isKnown ? null : <ErrorLine error={error} />}
      </FieldGroup>
      <DialogActions>
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {words.submit}
        </Button>
      </DialogActions>
    </form>
  );
}

type Registered = {
  readonly control: Control<Values>;
  readonly register: ReturnType<typeof useForm<Values>>['register'];
};

function ExpiryDate({ control, register }: Registered) {
  const words = useWords();
  const expiry = useWatch({ control, name: 'expiry' });
  return expiry === 'date' ? <TextField label={words.expiryDate} type="date" {...register('date')} /> : null;
}

function Scopes({ control, register }: Registered) {
  const words = useWords();
  const preset = useWatch({ control, name: 'preset' });
  if (preset !== 'custom') return null;
  return (
    <FieldGroup label={words.scopes}>
      <div className={styles.scopes}>
        {Object.entries(words.scopeNames).map(([scope, name]) => (
          <CheckboxField key={scope} label={name} value={scope} {...register('scopes')} />
        ))}
      </div>
    </FieldGroup>
  );
}

function toBody({ name, expiry, date, preset, scopes, networks }: Values): ApiKeyCreate {
  const expiresAt = expiryTime(expiry, date);
  const allowedNetworks = networks.split(/[\s,]+/).filter((range) => range !== '');
  return {
    name: name.trim(),
    // A disabled choice has no value.
    scopes: preset === 'custom' ? scopes : [...(PRESETS[preset] ?? PRESETS.full)],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(allowedNetworks.length === 0 ? {} : { allowedNetworks }),
  };
}

function optionsOf(texts: Readonly<Record<string, string>>) {
  return Object.entries(texts).map(([value, label]) => ({ value, label }));
}
