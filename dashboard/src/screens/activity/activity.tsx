import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@smartlink/client';
import { api } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './activity.module.css';
import { Filters } from './filters.js';
import type { ActivitySearch } from './search.js';
import { useWords } from './words.js';

export function Activity() {
  const words = useWords();
  const navigate = useNavigate({ from: '/dashboard/activity' });
  const search = useSearch({ from: '/shell/dashboard/activity' });
  const changes = useInfiniteQuery(
    pagesQuery(['changes', search], (page, signal) =>
      api.account.changes({ ...search, ...page }, { signal }),
    ),
  );
  const show = (filter: ActivitySearch) => {
    void navigate({ search: filter, replace: true });
  };
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const clear = <Button onClick={() => show({})}>{words.clear}</Button>;
  return (
    <Page title={words.heading} intro={words.intro}>
      <Filters search={search} onChange={show}>
        {isFiltered ? clear : null}
      </Filters>
      <Loaded query={changes} lines={6}>
        {(entries) => {
          if (entries.length > 0) return <ChangeTable entries={entries} search={search} />;
          return isFiltered ? (
            <EmptyNotice heading={words.nothingFound}>{words.nothingFoundText}</EmptyNotice>
          ) : (
            <EmptyNotice heading={words.none}>{words.noneText}</EmptyNotice>
          );
        }}
      </Loaded>
      <ShowMore query={changes} />
    </Page>
  );
}

function ChangeTable({
  entries,
  search,
}: {
  readonly entries: readonly AuditEntry[];
  readonly search: ActivitySearch;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'what',
      header: words.what,
      kind: 'main',
      cell: ({ action, changed = [] }) => (
        <div className={styles.what}>
          {actionName(action, words)}
          {changed.length === 0 ? null : (
            <span className={styles.changed}>{words.changed(changed.join(', '))}</span>
          )}
        </div>
      ),
    },
    { key: 'who', header: words.who, cell: ({ actor }) => actorName(actor, words) },
    { key: 'when', header: words.when, cell: ({ at }) => format.dateTime(at) },
    {
      key: 'link',
      header: words.link,
      cell: ({ smartlinkId, action }) => {
        if (smartlinkId === undefined) return '–';
        return (
          <div className={styles.links}>
            {action === 'smartlink.delete' ? null : (
              <Link to="/dashboard/links/$id" params={{ id: smartlinkId }}>
                {words.open}
              </Link>
            )}
            {search.smartlinkId === smartlinkId ? null : (
              <Link to="/dashboard/activity" search={{ ...search, smartlinkId }}>
                {words.showOnly}
              </Link>
            )}
          </div>
        );
      },
    },
  ];
  return <Table label={words.table} columns={columns} rows={entries} rowKey={({ id }) => id} />;
}

type Words = ReturnType<typeof useWords>;

/** An action that has no name here is shown as the API has it. */
function actionName(action: string, { actions }: Words): string {
  return (actions as Readonly<Record<string, string>>)[action] ?? action;
}

function actorName({ kind, name }: AuditEntry['actor'], words: Words): string {
  if (kind === 'admin') return words.admin;
  if (kind === 'system') return words.system;
  if (kind === 'key') return name === undefined ? words.deletedKey : words.key(name);
  return name ?? words.deletedPerson;
}
