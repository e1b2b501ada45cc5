import type { Person, PersonChanges } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { useWords as useAppWords } from '../../app/words.js';
import { Badge } from '../../parts/badge.js';
import { AddButton } from '../../parts/button.js';
import { useConfirmed } from '../../parts/dialogs/confirm-identity.js';
import { ConfirmAction, useDialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { CheckboxField, TextField } from '../../parts/field.js';
import { Menu } from '../../parts/menu.js';
import { useStatus } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import { AdminList, PersonLink } from './admin-list.js';
import styles from './admin.module.css';
import { useWords } from './words.js';

const CHANGES = {
  'sign-in': { link: 'sign-in' },
  reset: { link: 'reset' },
  grant: { isOperator: true },
  withdraw: { isOperator: false },
  disable: { isDisabled: true },
  enable: { isDisabled: false },
} as const satisfies Readonly<Record<string, PersonChanges>>;

type PersonAction = keyof typeof CHANGES;

type DialogProps = {
  /** Includes the link if the change made one. */
  readonly onDone: (person: Person) => void;
  readonly onClose: () => void;
};

export function People() {
  const { people: words } = useWords();
  const { moreActions } = usePartsWords();
  const say = useStatus();
  const { dialog, open, close } = useDialog();
  const columns = useColumns();
  const dialogProps: DialogProps = {
    onClose: close,
    onDone: ({ email, link }) => {
      void queryClient.invalidateQueries({ queryKey: ['admin', 'people'] });
      if (link === undefined) say(words.changed(email));
      else open(<PersonLink email={email} link={link} onClose={close} />);
    },
  };
  return (
    <AdminList
      name="people"
      texts={words}
      add={<AddButton onClick={() => open(<AddDialog {...dialogProps} />)}>{words.add}</AddButton>}
      readPage={api.admin.people}
      columns={columns}
      rowKey={({ personId }) => personId}
      actions={(person) => (
        <Menu
          label={moreActions(person.email)}
          items={actionsOf(person).map((action) => ({
            label: words.actions[action].name,
            onSelect: () => open(<ActionDialog action={action} person={person} {...dialogProps} />),
          }))}
        />
      )}
    >
      {dialog}
    </AdminList>
  );
}

function actionsOf({ isOperator, disabledAt }: Person): readonly PersonAction[] {
  const isDisabled = disabledAt !== undefined;
  return [
    ...(isDisabled ? [] : (['sign-in', 'reset'] as const)),
    isOperator ? 'withdraw' : 'grant',
    isDisabled ? 'enable' : 'disable',
  ];
}

function useColumns(): readonly Column<Person>[] {
  const words = useWords();
  const { people } = words;
  const format = useFormat();
  return [
    {
      header: words.email,
      kind: 'main',
      cell: ({ email, isOperator, disabledAt }) => (
        <span>
          {email}
          {isOperator ? <Badge>{people.operator}</Badge> : null}
          {disabledAt === undefined ? null : <Badge>{people.disabled}</Badge>}
        </span>
      ),
    },
    { header: people.accounts, cell: ({ accounts }) => <Memberships accounts={accounts} /> },
    {
      header: people.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? people.never : format.ago(lastSeenAt)),
    },
    { header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
}

const SHOWN_ACCOUNTS = 3;

function Memberships({ accounts }: Pick<Person, 'accounts'>) {
  const { people } = useWords();
  const { roles } = useAppWords();
  if (accounts.length === 0) return people.noAccount;
  const rest = accounts.length - SHOWN_ACCOUNTS;
  return (
    <ul className={styles.lines}>
      {accounts.slice(0, SHOWN_ACCOUNTS).map(({ id, email, role }) => (
        <li key={id}>{`${email}, ${roles[role]}`}</li>
      ))}
      {rest > 0 ? <li>{people.moreAccounts(rest)}</li> : null}
    </ul>
  );
}

/** A person without an account; Owners invite members, and a new account brings its Owner. */
function AddDialog(dialog: DialogProps) {
  const { people: words, email: emailLabel } = useWords();
  const confirmed = useConfirmed();
  return (
    <FormDialog
      title={words.add}
      description={words.addText}
      submitLabel={words.addSubmit}
      values={{ email: '', isOperator: false }}
      action={async ({ email, isOperator }) => {
        const body = { email: email.trim(), isOperator };
        return (await confirmed(() => api.admin.createPerson(body))).data;
      }}
      {...dialog}
    >
      {({ field, register }) => (
        <>
          <TextField label={emailLabel} type="email" autoComplete="off" {...field('email')} />
          <CheckboxField label={words.mayOperate} {...register('isOperator')} />
        </>
      )}
    </FormDialog>
  );
}

function ActionDialog({
  action,
  person: { personId, email },
  ...dialog
}: DialogProps & { readonly action: PersonAction; readonly person: Person }) {
  const { people } = useWords();
  const { cancel } = usePartsWords();
  const confirmed = useConfirmed();
  const { heading, text, submit } = people.actions[action];
  return (
    <ConfirmAction
      title={heading(email)}
      description={text}
      confirmLabel={submit}
      cancelLabel={cancel}
      action={async () => (await confirmed(() => api.admin.updatePerson(personId, CHANGES[action]))).data}
      {...dialog}
    />
  );
}
