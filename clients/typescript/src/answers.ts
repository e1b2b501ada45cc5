import type { Received } from './read-answer.js';

/** The answer of an operation: `data`, and what its headers say. */
export type Answer<Data> = Pick<Received<Data>, 'data' | 'requestId' | 'rateLimit'>;

/** The answer of an operation on one smartlink; `etag` is its version, which `ifMatch` of an update takes. */
export type VersionedAnswer<Data> = Answer<Data> & Pick<Received<Data>, 'etag'>;

/** A page of a list; `nextCursor` leads to the next, null on the last. */
export type Page<Item> = Answer<readonly Item[]> & Pick<Received<unknown>, 'nextCursor'>;
