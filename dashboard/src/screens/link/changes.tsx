import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@smartlink/client';
import { api } from '../../app/api.js';
import { List, pagesQuery } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
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
    { header: words.what, kind: 'main', cell: ({ action }) => words.changeNames[action] ?? action },
    { header: words.changed, cell: ({ changed = [] }) => changed.join(', ') },
    { header: words.who, cell: ({ actor }) => actorText(actor, words) },
    { header: words.when, cell: ({ at }) => format.dateTime(at) },
  ];
  return (
    <div className={styles.leads}>
      <List
        query={changes}
        lines={5}
        empty={<EmptyNotice heading={words.noChanges} />}
        label={words.tabs.changes}
        columns={columns}
        rowKey={(entry) => entry.id}
      />
    </div>
  );
}

function actorText({ kind, name }: AuditEntry['actor'], words: ReturnType<typeof useWords>): string {
  if (kind === 'key') return words.byKey(name ?? words.deletedName);
  if (kind === 'session') return name ?? words.deletedName;
  return kind === 'admin' ? words.byCommand : words.byService;
}
