import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { clearEvents, createSpool } from './events-fixtures.js';
import type { Spool } from './events-fixtures.js';

export type SpoolFrame = {
  /** Of the file's own ClickHouse. */
  readonly clickhouseUrl: string;
  /** Of the test that runs. */
  readonly spool: Spool;
};

/** Gives a test file databases of its own, and each of its tests a new spool and an empty table of events. */
export function frameWithSpool(): SpoolFrame {
  let databases: TestDatabases;
  let spool: Spool;
  beforeAll(async () => {
    databases = await createTestDatabases(inject('stack'));
  });
  afterAll(() => databases.drop());
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
