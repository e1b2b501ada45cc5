import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { Person } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { useWords as useAppWords } from '../../app/words.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { LinkDialog } from '../../parts/link-dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Menu } from '../../parts/menu.js';
import { EmptyNotice } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './admin.module.css';
import { AddPersonDialog, type PersonAction, PersonActionDialog } from './person-dialogs.js';
import { SearchField } from './search-field.js';
import { useWords } from './words.js';

const KEY = ['admin', 'people'] as const;
const route = getRouteApi('/shell/dashboard/admin/people');

type Link = { readonly url: string; readonly expiresAt: string };
type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'action'; readonly action: PersonAction; readonly person: Person }
  | { readonly kind: 'link'; readonly email: string; readonly link: Link }
  | null;

export function People() {
  const words = useWords();
  const { people } = words;
  const { q } = route.useSearch();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>(null);
  const list = useInfiniteQuery({
    ...pagesQuery([...KEY, q], (page, signal) =>
      api.admin.people({ ...page, ...(q === undefined ? {} : { q }) }, { signal }),
    ),
    placeholderData: (before) => before,
  });
  const search = (text: string | undefined) =>
    void navigate({ to: '.', search: text === undefined ? {} : { q: text }, replace: true });
  return (
    <Page
      title={people.heading}
      intro={people.intro}
      action={
        <Button look="primary" onClick={() => setOpened({ kind: 'add' })}>
          <Icon name="plus" />
          {people.add}
        </Button>
      }
    >
      <SearchField label={people.search} value={q ?? ''} onChange={search} />
      <Loaded query={list}>
        {(found) =>
          found.length === 0 ? (
            <EmptyNotice
              heading={words.nothingFound}
              action={<Button onClick={() => search(undefined)}>{words.clearSearch}</Button>}
            />
          ) : (
            <PeopleTable people={found} onOpen={setOpened} />
          )
        }
      </Loaded>
      <ShowMore query={list} />
      <OpenedDialog opened={opened} onOpen={setOpened} />
    </Page>
  );
}

function PeopleTable({
  people,
  onOpen,
}: {
  readonly people: readonly Person[];
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<Person>[] = [
    { key: 'email', header: words.email, kind: 'main', cell: (person) => <Name person={person} /> },
    { key: 'accounts', header: words.people.accounts, cell: (person) => <Memberships person={person} /> },
    {
      key: 'lastSeen',
      header: words.people.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? words.people.never : format.ago(lastSeenAt)),
    },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: (person) => <PersonMenu person={person} onOpen={onOpen} />,
    },
  ];
  return (
    <Table label={words.people.heading} columns={columns} rows={people} rowKey={({ personId }) => personId} />
  );
}

function Name({ person: { email, isOperator, disabledAt } }: { readonly person: Person }) {
  const { people } = useWords();
  return (
    <span>
      {email}
      {isOperator ? <Badge>{people.operator}</Badge> : null}
      {disabledAt === undefined ? null : <Badge>{people.disabled}</Badge>}
    </span>
  );
}

const SHOWN_ACCOUNTS = 3;

function Memberships({ person: { accounts } }: { readonly person: Person }) {
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

function PersonMenu({
  person,
  onOpen,
}: {
  readonly person: Person;
  readonly onOpen: (opened: Opened) => void;
}) {
  const { moreActions, people } = useWords();
  const isDisabled = person.disabledAt !== undefined;
  const links: readonly PersonAction[] = isDisabled ? [] : ['sign-in', 'reset'];
  const actions: readonly PersonAction[] = [
    ...links,
    person.isOperator ? 'withdraw' : 'grant',
    isDisabled ? 'enable' : 'disable',
  ];
  return (
    <Menu
      label={moreActions(person.email)}
      items={actions.map((action) => ({
        label: people.actions[action].name,
        onSelect: () => onOpen({ kind: 'action', action, person }),
      }))}
    />
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
  const close = () =>
    // A link has taken the place of the dialog that made it.
    onOpen((now) => (now === opened ? null : now));
  const changed = ({ email, link }: Person) => {
    void queryClient.invalidateQueries({ queryKey: KEY });
    if (link === undefined) say(words.people.changed(email));
    else onOpen({ kind: 'link', email, link });
  };
  switch (opened?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddPersonDialog onChanged={changed} onClose={close} />;
    case 'action':
      return (
        <PersonActionDialog
          action={opened.action}
          person={opened.person}
          onChanged={changed}
          onClose={close}
        />
      );
    case 'link':
      return (
        <LinkDialog
          title={words.linkHeading(opened.email)}
          description={words.linkText(opened.email)}
          label={words.link}
          link={opened.link}
          onClose={close}
        />
      );
  }
}
