import { afterEach, beforeEach } from 'vitest';
import { clearEvents, createSpool, type Spool } from './events-fixtures.js';
import { useDatabases } from './serve.js';

export type SpoolFrame = {
  /** Of the file's own ClickHouse. */
  readonly clickhouseUrl: string;
  /** Of the test that runs. */
  readonly spool: Spool;
};

/** Gives a test file databases of its own, and each of its tests a new spool and an empty table of events. */
export function frameWithSpool(): SpoolFrame {
  const databases = useDatabases({ clickhouse: 'own' });
  let spool: Spool;
  beforeEach(() => {
    spool = createSpool();
  });
  afterEach(async () => {
    spool.remove();
    await clearEvents(databases.clickhouseUrl);
  });
  return {
    get clickhouseUrl() {
      return databases.clickhouseUrl;
    },
    get spool() {
      return spool;
    },
  };
}
