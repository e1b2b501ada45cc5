import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Member, Role } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { Page } from '../../../app/page.js';
import { useSession } from '../../../app/session.js';
import { useWords as useAppWords } from '../../../app/words.js';
import { Badge } from '../../../parts/badge.js';
import { AddButton, Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/dialogs/confirm-identity.js';
import { ConfirmAction, useDialog } from '../../../parts/dialogs/dialog.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { LinkDialog } from '../../../parts/dialogs/secret-dialog.js';
import { SelectField, TextField } from '../../../parts/field.js';
import { Loaded } from '../../../parts/loaded.js';
import { useStatus } from '../../../parts/status.js';
import { type Column, Table } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { useWords } from './words.js';

const QUERY = {
  queryKey: ['members'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await api.account.members({ signal })).data,
} as const;

const ROLES = ['Viewer', 'Editor', 'Owner'] as const satisfies readonly Role[];

export function Members() {
  const words = useWords();
  const members = useQuery(QUERY);
  const { dialog, open, close } = useDialog();
  const columns = useColumns();
  const invite = (
    <InviteDialog
      onClose={close}
      onDone={({ email, inviteUrl: url, expiresAt }) =>
        open(
          <LinkDialog
            title={words.invited}
            text={words.invitedText(email)}
            label={words.link}
            link={{ url, expiresAt }}
            onClose={close}
          />,
        )
      }
    />
  );
  return (
    <Page
      title={words.heading}
      intro={words.intro}
      action={<AddButton onClick={() => open(invite)}>{words.invite}</AddButton>}
    >
      <Loaded query={members}>
        {(list) => (
          <Table
            label={words.heading}
            columns={columns}
            rows={list}
            rowKey={({ personId }) => personId}
            actions={(member) => (
              <>
                <Button
                  look="quiet"
                  aria-label={words.changeRole(member.email)}
                  onClick={() => open(<RoleDialog member={member} onClose={close} />)}
                >
                  {words.change}
                </Button>
                <Button
                  look="quiet"
                  aria-label={words.removePerson(member.email)}
                  onClick={() => open(<RemoveDialog member={member} onClose={close} />)}
                >
                  {words.remove}
                </Button>
              </>
            )}
          />
        )}
      </Loaded>
      {dialog}
    </Page>
  );
}

function useColumns(): readonly Column<Member>[] {
  const words = useWords();
  const { roles } = useAppWords();
  const format = useFormat();
  const { person } = useSession();
  return [
    {
      header: words.person,
      kind: 'main',
      cell: ({ email, personId }) => (
        <span>
          {email}
          {personId === person.id ? <Badge>{words.you}</Badge> : null}
        </span>
      ),
    },
    { header: words.role, cell: ({ role }) => roles[role] },
    { header: words.since, cell: ({ createdAt }) => format.shortDate(createdAt) },
    {
      header: words.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? words.never : format.ago(lastSeenAt)),
    },
  ];
}

/** Reads the members again, or everything after a change of the person's own role, which may lock them out of the screen. */
function useReload() {
  const say = useStatus();
  const { person } = useSession();
  return async (personId: string, said: string) => {
    await queryClient.invalidateQueries(personId === person.id ? {} : { queryKey: QUERY.queryKey });
    say(said);
  };
}

type InviteProps = {
  readonly onDone: (invitation: {
    readonly email: string;
    readonly inviteUrl: string;
    readonly expiresAt: string;
  }) => void;
  readonly onClose: () => void;
};

const INVITATION: { readonly email: string; readonly role: Role } = { email: '', role: 'Editor' };

function InviteDialog(dialog: InviteProps) {
  const words = useWords();
  const confirmed = useConfirmed();
  return (
    <FormDialog
      title={words.invite}
      description={words.inviteHint}
      submitLabel={words.submit}
      values={INVITATION}
      action={async ({ email: given, role }) => {
        const email = given.trim();
        return { ...(await confirmed(() => api.account.invite(email, role))).data, email };
      }}
      {...dialog}
    >
      {({ field, watch }) => (
        <>
          <TextField label={words.email} type="email" autoComplete="off" {...field('email')} />
          <RoleField role={watch('role')} {...field('role')} />
        </>
      )}
    </FormDialog>
  );
}

type MemberProps = { readonly member: Member; readonly onClose: () => void };

function RoleDialog({ member: { personId, email, role }, onClose }: MemberProps) {
  const words = useWords();
  const confirmed = useConfirmed();
  const reload = useReload();
  return (
    <FormDialog
      title={words.changeRole(email)}
      submitLabel={words.save}
      values={{ role }}
      action={(values) => confirmed(() => api.account.setRole(personId, values.role))}
      onDone={() => void reload(personId, words.changed)}
      onClose={onClose}
    >
      {({ field, watch }) => <RoleField role={watch('role')} {...field('role')} />}
    </FormDialog>
  );
}

function RoleField({
  role,
  ...field
}: Omit<ComponentProps<typeof SelectField>, 'label' | 'options' | 'role'> & { readonly role: Role }) {
  const words = useWords();
  const { roles } = useAppWords();
  return (
    <SelectField
      label={words.role}
      description={words.rights[role]}
      options={ROLES.map((value) => ({ value, label: roles[value] }))}
      {...field}
    />
  );
}

function RemoveDialog({ member: { personId, email }, onClose }: MemberProps) {
  const words = useWords();
  const confirmed = useConfirmed();
  const reload = useReload();
  return (
    <ConfirmAction
      title={words.removeHeading(email)}
      description={words.removeText}
      confirmLabel={words.removeSubmit}
      cancelLabel={words.keep}
      action={() => confirmed(() => api.account.removeMember(personId))}
      onDone={() => void reload(personId, words.removed)}
      onClose={onClose}
    />
  );
}
