import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatedAccount } from '@smartlink/client';
import { api } from '../../app/api.js';
import { useConfirmed } from '../../parts/confirm-identity.js';
import { SelectField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { plansQuery } from './plans-query.js';
import { useWords } from './words.js';

// Of a new account, unless another one is chosen: that of the API.
const FIRST_PLAN = 'Enterprise';

function PlanField({
  plan,
  error,
  onChange,
}: {
  readonly plan: string;
  readonly error: string | undefined;
  readonly onChange: (plan: string) => void;
}) {
  const words = useWords();
  const plans = useQuery(plansQuery);
  const names = plans.data?.map(({ name }) => name) ?? [plan];
  return (
    <SelectField
      label={words.accounts.plan}
      error={error}
      options={names.map((name) => ({ value: name, label: name }))}
      value={plan}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

export function AddAccountDialog({
  onAdded,
  onClose,
}: {
  readonly onAdded: (account: OperatedAccount) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(FIRST_PLAN);
  return (
    <FormDialog
      title={words.accounts.add}
      description={words.accounts.addText}
      submitLabel={words.accounts.addSubmit}
      cancelLabel={words.cancel}
      paths={['email', 'name', 'plan']}
      action={async () => {
        const given = name.trim();
        const body = { email: email.trim(), plan, ...(given === '' ? {} : { name: given }) };
        onAdded((await confirmed(() => api.admin.createAccount(body))).data);
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label={words.email}
            type="email"
            autoComplete="off"
            value={email}
            error={faults.get('email')}
            onChange={({ target }) => setEmail(target.value)}
          />
          <NameField name={name} error={faults.get('name')} onChange={setName} />
          <PlanField plan={plan} error={faults.get('plan')} onChange={setPlan} />
        </>
      )}
    </FormDialog>
  );
}

function NameField({
  name,
  error,
  onChange,
}: {
  readonly name: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}) {
  const words = useWords();
  return (
    <TextField
      label={words.name}
      description={words.accounts.nameHint}
      autoComplete="off"
      value={name}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

export function ChangeAccountDialog({
  account: { id, email, name: presentName, plan: presentPlan },
  onChanged,
  onClose,
}: {
  readonly account: OperatedAccount;
  readonly onChanged: (account: OperatedAccount) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [name, setName] = useState(presentName === email ? '' : presentName);
  const [plan, setPlan] = useState(presentPlan);
  return (
    <FormDialog
      title={words.changeNamed(presentName)}
      description={words.accounts.changeText}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={['name', 'plan']}
      action={async () => {
        const given = name.trim();
        const body = { plan, name: given === '' ? null : given };
        onChanged((await confirmed(() => api.admin.updateAccount(id, body))).data);
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <PlanField plan={plan} error={faults.get('plan')} onChange={setPlan} />
          <NameField name={name} error={faults.get('name')} onChange={setName} />
        </>
      )}
    </FormDialog>
  );
}
