import { createEventTable } from './insert-rows.js';
import type { EventTable } from './insert-rows.js';

export type RenewableTable = EventTable & {
  /** What begins from now on goes to this address; what is under way ends where it began. */
  readonly renew: (clickhouseUrl: string) => void;
};

/** Returns access to the table `events` whose address and password can be replaced while it is used. The caller closes it. */
export function createRenewableTable(clickhouseUrl: string): RenewableTable {
  let current = openCounted(clickhouseUrl);
  return {
    insert: (columns, rows, signal) => current.use((table) => table.insert(columns, rows, signal)),
    uptimeSeconds: (signal) => current.use((table) => table.uptimeSeconds(signal)),
    close: () => current.table.close(),
    renew(url) {
      const before = current;
      current = openCounted(url);
      before.closeWhenIdle();
    },
  };
}

/** A closed client would break what is under way on it, and that would be sent again. */
function openCounted(clickhouseUrl: string) {
  const table = createEventTable(clickhouseUrl);
  let inUse = 0;
  let isOver = false;
  const closeIfOver = (): void => {
    if (isOver && inUse === 0) void table.close().catch(() => undefined);
  };
  return {
    table,
    use: async <T>(work: (table: EventTable) => Promise<T>): Promise<T> => {
      inUse += 1;
      try {
        return await work(table);
      } finally {
        inUse -= 1;
        closeIfOver();
      }
    },
    closeWhenIdle(): void {
      isOver = true;
      closeIfOver();
    },
  };
}
