import type { Edit } from './broken-builds-copy.js';

export type BrokenBuild = {
  readonly name: string;
  /** Which checker must notice. */
  readonly checker: 'races' | 'shipping' | 'burst' | 'kill' | 'stop';
  /** Of what it counts, what must be above zero. */
  readonly finds: 'stale' | 'lost' | 'doubled' | 'waiting';
  /** Whether an ordinary run tries it; the full size tries all. */
  readonly isTriedAlways: boolean;
  readonly edit: Edit;
};

const DELETE_AFTER_COMMIT: Edit = {
  package: 'link-resolver',
  file: 'link-publisher.js',
  find: 'const taken = setIfNewer(redis, keyPrefix, slugKey, encoded, message);',
  replace:
    'const taken = redis.del(snapshotRedisKey(keyPrefix, slugKey)).then(() => redis.publish(changeChannel(keyPrefix), message));',
};

const PLAIN_SET: Edit = {
  package: 'link-resolver',
  file: 'redis-codec.js',
  find: 'and stored >= ARGV[2] then return 0 end',
  replace: 'and false then return 0 end',
};

const FAILURE_COUNTS_AS_SENT: Edit = {
  package: 'redirect',
  file: 'events/shipping-batch.js',
  find: 'const outcome = await deps.table.insert(columns, rows(), deps.signal);',
  replace: `const outcome = await deps.table.insert(columns, rows(), deps.signal).catch(() => {
        sent.isComplete = true;
        return { kind: 'acknowledged' };
    });`,
};

const NO_RETRY: Edit = {
  package: 'redirect',
  file: 'events/shipper.js',
  find: 'await shared.pause(pauseMs);',
  replace: 'return;',
};

// Taken for acknowledged as soon as the last byte is on its way.
const SENT_BEFORE_ANSWER: Edit = {
  package: 'redirect',
  file: 'events/shipping-batch.js',
  find: 'const outcome = await deps.table.insert(columns, rows(), deps.signal);',
  replace: `const answer = deps.table.insert(columns, rows(), deps.signal).catch(() => (sent.isComplete = true));
    while (!sent.isComplete) await new Promise((resolve) => setImmediate(resolve));
    void answer;
    const outcome = { kind: 'acknowledged' };`,
};

const NEW_IDS_EACH_TIME: Edit = {
  package: 'redirect',
  file: 'events/shipping-batch.js',
  find: 'yield frame.rows;',
  replace: `{
        const { splitRows } = await import('./spool-segment.js');
        const { randomBytes } = await import('node:crypto');
        for (const row of splitRows(frame)) yield Buffer.concat([row.subarray(0, 8), randomBytes(16), row.subarray(24)]);
    }`,
};

const CONFIRMED_BEFORE_WRITTEN: Edit = {
  package: 'redirect',
  file: 'events/event-buffer.js',
  find: 'const outcome = await spool.append(frame, half.rowCount);',
  replace: 'half.settle(true); const outcome = await spool.append(frame, half.rowCount);',
};

const UNCOUNTED_DROP: Edit = {
  package: 'redirect',
  file: 'events/event-buffer.js',
  find: 'counters.droppedEvents[reason]++;',
  replace: '',
};

const CLOSED_BEFORE_WRITTEN: Edit = {
  package: 'redirect',
  file: 'events/event-buffer.js',
  find: 'halfWriter.stopRetrying();\n            flush();',
  replace: '',
};

/** Faults that once were made, here or elsewhere, and what notices each. */
export const BROKEN_BUILDS: readonly BrokenBuild[] = [
  {
    name: 'a change deletes the Redis key',
    checker: 'races',
    finds: 'stale',
    isTriedAlways: true,
    edit: DELETE_AFTER_COMMIT,
  },
  {
    name: 'Redis is written by a plain set',
    checker: 'races',
    finds: 'stale',
    isTriedAlways: false,
    edit: PLAIN_SET,
  },
  {
    name: 'a failed insert counts as sent',
    checker: 'shipping',
    finds: 'lost',
    isTriedAlways: true,
    edit: FAILURE_COUNTS_AS_SENT,
  },
  {
    name: 'a failed insert is not tried again',
    checker: 'shipping',
    finds: 'waiting',
    isTriedAlways: false,
    edit: NO_RETRY,
  },
  {
    name: 'a segment is settled before ClickHouse answers',
    checker: 'shipping',
    finds: 'lost',
    isTriedAlways: false,
    edit: SENT_BEFORE_ANSWER,
  },
  {
    name: 'events get their ids when they are sent',
    checker: 'shipping',
    finds: 'doubled',
    isTriedAlways: false,
    edit: NEW_IDS_EACH_TIME,
  },
  {
    name: 'strict mode confirms before it writes',
    checker: 'kill',
    finds: 'lost',
    isTriedAlways: true,
    edit: CONFIRMED_BEFORE_WRITTEN,
  },
  {
    name: 'a drop is not counted',
    checker: 'burst',
    finds: 'lost',
    isTriedAlways: true,
    edit: UNCOUNTED_DROP,
  },
  {
    name: 'the recorder closes before its last write',
    checker: 'stop',
    finds: 'lost',
    isTriedAlways: false,
    edit: CLOSED_BEFORE_WRITTEN,
  },
];
