import { useQuery } from '@tanstack/react-query';
import type { OperatedAccount } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { AddButton, Button } from '../../parts/button.js';
import { useConfirmed } from '../../parts/dialogs/confirm-identity.js';
import { useDialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useStatus } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { AdminList, PersonLink } from './admin-list.js';
import styles from './admin.module.css';
import { plansQuery } from './plans-query.js';
import { useWords } from './words.js';

// Default of the API.
const FIRST_PLAN = 'Enterprise';

export function Accounts() {
  const words = useWords();
  const say = useStatus();
  const { dialog, open, close } = useDialog();
  const columns = useColumns();
  const edit = (account?: OperatedAccount) =>
    open(
      <AccountDialog
        account={account}
        onClose={close}
        onDone={({ name, email, link }) => {
          void queryClient.invalidateQueries({ queryKey: ['admin'] });
          if (link !== undefined) open(<PersonLink email={email} link={link} onClose={close} />);
          else say((account === undefined ? words.accounts.added : words.accounts.changed)(name));
        }}
      />,
    );
  return (
    <AdminList
      name="accounts"
      texts={words.accounts}
      add={<AddButton onClick={() => edit()}>{words.accounts.add}</AddButton>}
      none={words.accounts.none}
      readPage={api.admin.accounts}
      columns={columns}
      rowKey={({ id }) => id}
      actions={(account) => (
        <Button look="quiet" aria-label={words.changeNamed(account.name)} onClick={() => edit(account)}>
          {words.change}
        </Button>
      )}
    >
      {dialog}
    </AdminList>
  );
}

function useColumns(): readonly Column<OperatedAccount>[] {
  const { accounts: words, created } = useWords();
  const { number, shortDate } = useFormat();
  return [
    {
      header: words.account,
      kind: 'main',
      cell: ({ name, email }) => (
        <span className={styles.lines}>
          {name}
          {name === email ? null : <span className={styles.second}>{email}</span>}
        </span>
      ),
    },
    { header: words.plan, cell: ({ plan }) => plan },
    { header: words.links, kind: 'number', cell: ({ usage }) => number(usage.smartlinks) },
    { header: words.members, kind: 'number', cell: ({ members }) => number(members) },
    { header: words.keys, kind: 'number', cell: ({ keys }) => number(keys) },
    { header: created, cell: ({ createdAt }) => shortDate(createdAt) },
  ];
}

/** Adds an account with its Owner, or changes the name and plan of one. */
function AccountDialog({
  account,
  ...dialog
}: {
  readonly account: OperatedAccount | undefined;
  /** Includes the link of a new Owner. */
  readonly onDone: (account: OperatedAccount) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const { accounts: own } = words;
  const confirmed = useConfirmed();
  const present = account ?? { name: '', email: '', plan: FIRST_PLAN };
  const plans = useQuery(plansQuery).data?.map(({ name }) => name) ?? [present.plan];
  return (
    <FormDialog
      title={account === undefined ? own.add : words.changeNamed(account.name)}
      description={account === undefined ? own.addText : own.changeText}
      submitLabel={account === undefined ? own.addSubmit : words.save}
      values={{
        email: present.email,
        name: present.name === present.email ? '' : present.name,
        plan: present.plan,
      }}
      action={async ({ email, name: given, plan }) => {
        const name = given.trim() === '' ? undefined : given.trim();
        const call = () =>
          account === undefined
            ? api.admin.createAccount({ email: email.trim(), plan, ...(name === undefined ? {} : { name }) })
            : api.admin.updateAccount(account.id, { plan, name: name ?? null });
        return (await confirmed(call)).data;
      }}
      {...dialog}
    >
      {({ field }) => (
        <>
          {account === undefined ? (
            <TextField label={words.email} type="email" autoComplete="off" {...field('email')} />
          ) : null}
          <TextField label={words.name} description={own.nameHint} autoComplete="off" {...field('name')} />
          <SelectField
            label={own.plan}
            options={plans.map((name) => ({ value: name, label: name }))}
            {...field('plan')}
          />
        </>
      )}
    </FormDialog>
  );
}
