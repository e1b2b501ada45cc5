import { Problem } from './problem.js';
import { describe } from './session.js';

/** Returns the problem that a file cannot be read, for what the file system has thrown. */
export function cannotRead(file: string, err: unknown): Problem {
  if (codeOf(err) === 'ENOENT') return new Problem(`${file} is not there.`);
  return new Problem(`${file} cannot be read: ${reasonOf(err)}.`);
}

/** Returns the problem that a file cannot be written, for what the file system has thrown. */
export function cannotWrite(file: string, err: unknown): Problem {
  const reason = codeOf(err) === 'ENOENT' ? 'its folder is not there' : reasonOf(err);
  return new Problem(`${file} cannot be written: ${reason}.`);
}

// Node's own words name a system call, and a path that nobody has asked for.
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'you may not'],
  ['EPERM', 'you may not'],
  ['EROFS', 'nothing can be written there'],
  ['ENOTDIR', 'what should be its folder is none'],
  ['EISDIR', 'it is a folder'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'you may have no more on this disk'],
]);

const reasonOf = (err: unknown): string => REASONS.get(codeOf(err)) ?? describe(err).replace(/\.$/, '');

const codeOf = (err: unknown): unknown => (err instanceof Error && 'code' in err ? err.code : null);
