import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from '@smartlink/client';
import { api } from '../../app/api.js';
import { List, pagesQuery } from '../../parts/list.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './activity.module.css';
import type { ActivitySearch } from './search.js';
import { useWords } from './words.js';

/** The matching entries of the audit log, newest first. For Owners. */
export function ChangeList({
  search,
  empty,
  hasLinks = true,
}: {
  readonly search: ActivitySearch;
  readonly empty: ReactNode;
  /** Whether entries link to their smartlinks. */
  readonly hasLinks?: boolean;
}) {
  const words = useWords();
  const changes = useInfiniteQuery(
    pagesQuery(['changes', search], (page, signal) =>
      api.account.changes({ ...search, ...page }, { signal }),
    ),
  );
  const columns = useColumns(search, hasLinks);
  return (
    <List
      query={changes}
      lines={6}
      empty={empty}
      label={words.table}
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

function useColumns(search: ActivitySearch, hasLinks: boolean): readonly Column<AuditEntry>[] {
  const words = useWords();
  const format = useFormat();
  const link: Column<AuditEntry> = {
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
  };
  return [
    {
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
    { header: words.who, cell: ({ actor }) => actorName(actor, words) },
    { header: words.when, cell: ({ at }) => format.dateTime(at) },
    ...(hasLinks ? [link] : []),
  ];
}

type Words = ReturnType<typeof useWords>;

/** Actions without a translation keep their API name. */
function actionName(action: string, { actions }: Words): string {
  return (actions as Readonly<Record<string, string>>)[action] ?? action;
}

function actorName({ kind, name }: AuditEntry['actor'], words: Words): string {
  if (kind === 'admin') return words.admin;
  if (kind === 'system') return words.system;
  if (kind === 'key') return name === undefined ? words.deletedKey : words.key(name);
  return name ?? words.deletedPerson;
}
