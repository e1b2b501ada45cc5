import type { EventTable } from './insert-rows.js';

/** Returns the table with a watch on its inserts: `seconds` is how long the one under way has taken, 0 while none is. */
export function watchInserts(table: EventTable): { table: EventTable; seconds: () => number } {
  let startedAt: number | null = null;
  return {
    table: {
      ...table,
      insert: async (columns, rows, signal) => {
        startedAt = performance.now();
        try {
          return await table.insert(columns, rows, signal);
        } finally {
          startedAt = null;
        }
      },
    },
    seconds: () => (startedAt === null ? 0 : (performance.now() - startedAt) / 1_000),
  };
}
