import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { OperatedAccount } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { LinkDialog } from '../../parts/link-dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { AddAccountDialog, ChangeAccountDialog } from './account-dialogs.js';
import styles from './admin.module.css';
import { SearchField } from './search-field.js';
import { useWords } from './words.js';

const KEY = ['admin', 'accounts'] as const;
const route = getRouteApi('/shell/dashboard/admin/accounts');

type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'change'; readonly account: OperatedAccount }
  | {
      readonly kind: 'link';
      readonly email: string;
      readonly link: { readonly url: string; readonly expiresAt: string };
    }
  | null;

export function Accounts() {
  const words = useWords();
  const { accounts } = words;
  const { q } = route.useSearch();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>(null);
  const list = useInfiniteQuery({
    ...pagesQuery([...KEY, q], (page, signal) =>
      api.admin.accounts({ ...page, ...(q === undefined ? {} : { q }) }, { signal }),
    ),
    placeholderData: (before) => before,
  });
  const search = (text: string | undefined) =>
    void navigate({ to: '.', search: text === undefined ? {} : { q: text }, replace: true });
  const add = (
    <Button look="primary" onClick={() => setOpened({ kind: 'add' })}>
      <Icon name="plus" />
      {accounts.add}
    </Button>
  );
  return (
    <Page title={accounts.heading} intro={accounts.intro} action={add}>
      <SearchField label={accounts.search} value={q ?? ''} onChange={search} />
      <Loaded query={list}>
        {(found) =>
          found.length === 0 ? (
            <EmptyNotice
              heading={q === undefined ? accounts.none : words.nothingFound}
              action={
                q === undefined ? add : <Button onClick={() => search(undefined)}>{words.clearSearch}</Button>
              }
            />
          ) : (
            <AccountTable accounts={found} onOpen={setOpened} />
          )
        }
      </Loaded>
      <ShowMore query={list} />
      <OpenedDialog opened={opened} onOpen={setOpened} />
    </Page>
  );
}

function AccountTable({
  accounts,
  onOpen,
}: {
  readonly accounts: readonly OperatedAccount[];
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const { number, shortDate } = useFormat();
  const columns: readonly Column<OperatedAccount>[] = [
    {
      key: 'name',
      header: words.accounts.account,
      kind: 'main',
      cell: ({ name, email }) => (
        <span className={styles.lines}>
          {name}
          {name === email ? null : <span className={styles.second}>{email}</span>}
        </span>
      ),
    },
    { key: 'plan', header: words.accounts.plan, cell: ({ plan }) => plan },
    {
      key: 'links',
      header: words.accounts.links,
      kind: 'number',
      cell: ({ usage }) => number(usage.smartlinks),
    },
    {
      key: 'members',
      header: words.accounts.members,
      kind: 'number',
      cell: ({ members }) => number(members),
    },
    { key: 'keys', header: words.accounts.keys, kind: 'number', cell: ({ keys }) => number(keys) },
    { key: 'created', header: words.created, cell: ({ createdAt }) => shortDate(createdAt) },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: (account) => (
        <Button
          look="quiet"
          aria-label={words.changeNamed(account.name)}
          onClick={() => onOpen({ kind: 'change', account })}
        >
          {words.change}
        </Button>
      ),
    },
  ];
  return <Table label={words.accounts.heading} columns={columns} rows={accounts} rowKey={({ id }) => id} />;
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
  const changed = ({ name, email, link }: OperatedAccount, said: (name: string) => string) => {
    void queryClient.invalidateQueries({ queryKey: ['admin'] });
    if (link === undefined) say(said(name));
    else onOpen({ kind: 'link', email, link });
  };
  switch (opened?.kind) {
    case undefined:
      return null;
    case 'add':
      return (
        <AddAccountDialog onAdded={(account) => changed(account, words.accounts.added)} onClose={close} />
      );
    case 'change':
      return (
        <ChangeAccountDialog
          account={opened.account}
          onChanged={(account) => changed(account, words.accounts.changed)}
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
