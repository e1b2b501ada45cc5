import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@smartlink/client';
import { api } from '../../app/api.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './link.module.css';
import { useWords } from './words.js';

/** The audit log of one smartlink, newest first. For Owners. */
export function Changes({ id }: { readonly id: string }) {
  const words = useWords();
  const format = useFormat();
  const changes = useInfiniteQuery(
    pagesQuery(['link', id, 'changes'], (page, signal) =>
      api.account.changes({ ...page, smartlinkId: id }, { signal }),
    ),
  );
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'what',
      header: words.what,
      kind: 'main',
      cell: ({ action }) => words.changeNames[action] ?? action,
    },
    { key: 'changed', header: words.changed, cell: ({ changed = [] }) => changed.join(', ') },
    { key: 'who', header: words.who, cell: ({ actor }) => actorText(actor, words) },
    { key: 'when', header: words.when, cell: ({ at }) => format.dateTime(at) },
  ];
  return (
    <div className={styles.leads}>
      <Loaded query={changes} lines={5}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.noChanges} />
          ) : (
            <Table
              label={words.tabs.changes}
              columns={columns}
              rows={list}
              rowKey={({ id: entry }) => entry}
            />
          )
        }
      </Loaded>
      <ShowMore query={changes} />
    </div>
  );
}

function actorText({ kind, name }: AuditEntry['actor'], words: ReturnType<typeof useWords>): string {
  if (kind === 'key') return words.byKey(name ?? words.deletedName);
  if (kind === 'session') return name ?? words.deletedName;
  return kind === 'admin' ? words.byCommand : words.byService;
}
