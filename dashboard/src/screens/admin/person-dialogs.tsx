import { useState } from 'react';
import type { Person, PersonChanges } from '@smartlink/client';
import { api } from '../../app/api.js';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { useConfirmed } from '../../parts/confirm-identity.js';
import { CheckboxField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useWords } from './words.js';

const CHANGES = {
  'sign-in': { link: 'sign-in' },
  reset: { link: 'reset' },
  grant: { isOperator: true },
  withdraw: { isOperator: false },
  disable: { isDisabled: true },
  enable: { isDisabled: false },
} as const satisfies Readonly<Record<string, PersonChanges>>;

export type PersonAction = keyof typeof CHANGES;

type DialogProps = {
  /** With the link, where one was made. */
  readonly onChanged: (person: Person) => void;
  readonly onClose: () => void;
};

/** A person who is a member of no account yet: accounts are made with their Owner, and Owners invite. */
export function AddPersonDialog({ onChanged, onClose }: DialogProps) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [email, setEmail] = useState('');
  const [isOperator, setOperator] = useState(false);
  return (
    <FormDialog
      title={words.people.add}
      description={words.people.addText}
      submitLabel={words.people.addSubmit}
      cancelLabel={words.cancel}
      paths={['email']}
      action={async () => {
        const body = { email: email.trim(), isOperator };
        onChanged((await confirmed(() => api.admin.createPerson(body))).data);
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
          <CheckboxField
            label={words.people.mayOperate}
            checked={isOperator}
            onChange={({ target }) => setOperator(target.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}

export function PersonActionDialog({
  action,
  person: { personId, email },
  onChanged,
  onClose,
}: DialogProps & { readonly action: PersonAction; readonly person: Person }) {
  const words = useWords();
  const confirmed = useConfirmed();
  const { heading, text, submit } = words.people.actions[action];
  return (
    <ConfirmAction
      title={heading(email)}
      description={text}
      confirmLabel={submit}
      cancelLabel={words.cancel}
      action={async () =>
        onChanged((await confirmed(() => api.admin.updatePerson(personId, CHANGES[action]))).data)
      }
      onDone={() => undefined}
      onClose={onClose}
    />
  );
}
