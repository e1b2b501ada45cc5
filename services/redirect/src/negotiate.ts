import type { Answer, Reply } from './reply.js';

/** The request headers that choose between the forms of one answer, each '' when absent. */
export type Preferences = { readonly acceptEncoding: string; readonly ifNoneMatch: string };

/**
 * Returns the form of an answer that a visitor takes, brotli before gzip; its 304 when they kept it already. A promise
 * only for those who take neither encoding of a large one.
 */
export function negotiate(
  answer: Answer,
  { acceptEncoding, ifNoneMatch }: Preferences,
): Reply | Promise<Reply> {
  if (answer.head !== undefined) return conditionalReply(answer, ifNoneMatch);
  if (takes(acceptEncoding, BROTLI)) return conditionalReply(answer.brotli, ifNoneMatch);
  if (takes(acceptEncoding, GZIP)) return conditionalReply(answer.gzip, ifNoneMatch);
  const { identityValidator } = answer;
  if (identityValidator && isKept(identityValidator.etag, ifNoneMatch)) return identityValidator.notModified;
  return answer.identity();
}

// A coding by its name, which a weight of 0 takes back (RFC 9110, 12.5.3). Who takes `*` names what they take besides.
const BROTLI = /(?:^|[,\s])br(?![\w-])(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i;
const GZIP = /(?:^|[,\s])(?:x-)?gzip(?![\w-])(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i;

// Real headers end below 64 characters.
const HEADER_LENGTH_MAX = 256;

function takes(acceptEncoding: string, coding: RegExp): boolean {
  return acceptEncoding !== '' && coding.test(acceptEncoding.slice(0, HEADER_LENGTH_MAX));
}

/**
 * Returns `reply`, or its 304 to a visitor whose If-None-Match names its tag. Tags are compared weakly (RFC 9110, 13.1.2).
 */
function conditionalReply(reply: Reply, ifNoneMatch: string): Reply {
  const { validator } = reply;
  return validator !== undefined && isKept(validator.etag, ifNoneMatch) ? validator.notModified : reply;
}

function isKept(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === '') return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
