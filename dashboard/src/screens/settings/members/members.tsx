import { useQuery } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { Invitation, Member } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { Page } from '../../../app/page.js';
import { useSession } from '../../../app/session.js';
import { useWords as useAppWords } from '../../../app/words.js';
import { Badge } from '../../../parts/badge.js';
import { Button } from '../../../parts/button.js';
import { ConfirmAction } from '../../../parts/confirm-action.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { Icon } from '../../../parts/icon.js';
import { LinkDialog } from '../../../parts/link-dialog.js';
import { Loaded } from '../../../parts/loaded.js';
import { useStatus } from '../../../parts/status.js';
import { type Column, Table } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { InviteDialog, RoleDialog } from './role-dialogs.js';
import { useWords } from './words.js';

const QUERY = {
  queryKey: ['members'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await api.account.members({ signal })).data,
} as const;

type Opened =
  | { readonly kind: 'invite' }
  | { readonly kind: 'role' | 'remove'; readonly member: Member }
  | { readonly kind: 'link'; readonly email: string; readonly invitation: Invitation }
  | null;

export function Members() {
  const words = useWords();
  const members = useQuery(QUERY);
  const [opened, setOpened] = useState<Opened>(null);
  return (
    <Page
      title={words.heading}
      intro={words.intro}
      action={
        <Button look="primary" onClick={() => setOpened({ kind: 'invite' })}>
          <Icon name="plus" />
          {words.invite}
        </Button>
      }
    >
      <Loaded query={members}>{(list) => <MemberTable members={list} onOpen={setOpened} />}</Loaded>
      <OpenedDialog opened={opened} onOpen={setOpened} />
    </Page>
  );
}

function MemberTable({
  members,
  onOpen,
}: {
  readonly members: readonly Member[];
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const { roles } = useAppWords();
  const format = useFormat();
  const { person } = useSession();
  const columns: readonly Column<Member>[] = [
    {
      key: 'email',
      header: words.person,
      kind: 'main',
      cell: ({ email, personId }) => (
        <span>
          {email}
          {personId === person.id ? <Badge>{words.you}</Badge> : null}
        </span>
      ),
    },
    { key: 'role', header: words.role, cell: ({ role }) => roles[role] },
    { key: 'since', header: words.since, cell: ({ createdAt }) => format.shortDate(createdAt) },
    {
      key: 'lastSeen',
      header: words.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? words.never : format.ago(lastSeenAt)),
    },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: (member) => <MemberActions member={member} onOpen={onOpen} />,
    },
  ];
  return <Table label={words.heading} columns={columns} rows={members} rowKey={({ personId }) => personId} />;
}

function MemberActions({
  member,
  onOpen,
}: {
  readonly member: Member;
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  return (
    <>
      <Button
        look="quiet"
        aria-label={words.changeRole(member.email)}
        onClick={() => onOpen({ kind: 'role', member })}
      >
        {words.change}
      </Button>
      <Button
        look="quiet"
        aria-label={words.removePerson(member.email)}
        onClick={() => onOpen({ kind: 'remove', member })}
      >
        {words.remove}
      </Button>
    </>
  );
}

function OpenedDialog({
  opened,
  onOpen,
}: {
  readonly opened: Opened;
  readonly onOpen: Dispatch<SetStateAction<Opened>>;
}) {
  const words = useWords();
  const say = useStatus();
  const confirmed = useConfirmed();
  const { person } = useSession();
  const close = () =>
    // The invitation has taken the place of its form.
    onOpen((now) => (now === opened ? null : now));
  /** The screen may no longer be open to a person who has changed the own role. */
  const reload = async (personId: string, said: string) => {
    await queryClient.invalidateQueries(personId === person.id ? {} : { queryKey: QUERY.queryKey });
    say(said);
  };
  switch (opened?.kind) {
    case undefined:
      return null;
    case 'invite':
      return (
        <InviteDialog
          onClose={close}
          onInvited={(email, invitation) => onOpen({ kind: 'link', email, invitation })}
        />
      );
    case 'link': {
      const { email, invitation } = opened;
      return (
        <LinkDialog
          title={words.invited}
          description={words.invitedText(email)}
          label={words.link}
          link={{ url: invitation.inviteUrl, expiresAt: invitation.expiresAt }}
          onClose={close}
        />
      );
    }
    case 'role':
      return <RoleDialog member={opened.member} onClose={close} onChanged={reload} />;
    case 'remove': {
      const { personId, email } = opened.member;
      return (
        <ConfirmAction
          title={words.removeHeading(email)}
          description={words.removeText}
          confirmLabel={words.removeSubmit}
          cancelLabel={words.keep}
          action={() => confirmed(() => api.account.removeMember(personId))}
          onDone={() => void reload(personId, words.removed)}
          onClose={close}
        />
      );
    }
  }
}
