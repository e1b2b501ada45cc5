import { useState } from 'react';
import type { Invitation, Member, Role } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { useWords as useAppWords } from '../../../app/words.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { SelectField, TextField } from '../../../parts/field.js';
import { FormDialog } from '../../../parts/form-dialog.js';
import { useWords } from './words.js';

const ROLES = ['Viewer', 'Editor', 'Owner'] as const satisfies readonly Role[];

function RoleField({
  role,
  error,
  onChange,
}: {
  readonly role: Role;
  readonly error: string | undefined;
  readonly onChange: (role: Role) => void;
}) {
  const words = useWords();
  const { roles } = useAppWords();
  return (
    <SelectField
      label={words.role}
      description={words.rights[role]}
      error={error}
      options={ROLES.map((value) => ({ value, label: roles[value] }))}
      value={role}
      onChange={({ target: { value } }) => onChange(ROLES.find((each) => each === value) ?? role)}
    />
  );
}

export function InviteDialog({
  onInvited,
  onClose,
}: {
  readonly onInvited: (email: string, invitation: Invitation) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('Editor');
  return (
    <FormDialog
      title={words.invite}
      description={words.inviteHint}
      submitLabel={words.submit}
      cancelLabel={words.cancel}
      paths={['email', 'role']}
      action={async () => {
        const address = email.trim();
        onInvited(address, (await confirmed(() => api.account.invite(address, role))).data);
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
            onChange={({ target: { value } }) => setEmail(value)}
          />
          <RoleField role={role} error={faults.get('role')} onChange={setRole} />
        </>
      )}
    </FormDialog>
  );
}

export function RoleDialog({
  member: { personId, email, role: present },
  onChanged,
  onClose,
}: {
  readonly member: Member;
  readonly onChanged: (personId: string, said: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [role, setRole] = useState(present);
  return (
    <FormDialog
      title={words.changeRole(email)}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={['role']}
      action={() => confirmed(() => api.account.setRole(personId, role))}
      onDone={() => void onChanged(personId, words.changed)}
      onClose={onClose}
    >
      {(faults) => <RoleField role={role} error={faults.get('role')} onChange={setRole} />}
    </FormDialog>
  );
}
