import { readFileSync, statSync } from 'node:fs';

const BYTES_MAX = 1024 * 1024;

/**
 * Returns the content of a file that a variable `X_FILE` names, without its last line break. Throws with words that
 * follow the variable's name: it names no file, one that cannot be read, an empty one, or one of more than a mebibyte.
 */
export function readVariableFile(file: string): string {
  const place = describePlace(file);
  const text = read(file, place).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`names ${place}, which is empty`);
  return text;
}

function read(file: string, place: string): string {
  try {
    const stats = statSync(file);
    // A pipe would be waited for, for ever.
    if (!stats.isFile()) {
      throw new Error(`names ${place}, which is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`);
    }
    if (stats.size > BYTES_MAX) throw new Error(`names ${place}, which is larger than 1 MiB`);
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (!(err instanceof Error) || !('code' in err)) throw err;
    const code = String(err.code);
    throw new Error(`names ${place}, ${UNREADABLE[code] ?? `which cannot be read (${code})`}`, {
      cause: err,
    });
  }
}

// Who writes the secret itself where its file belongs must not find it in a log.
function describePlace(file: string): string {
  const isPath = /^\.{0,2}\/[\w./@+ -]{1,256}$/.test(file) && !file.includes('//');
  return isPath ? file : 'something that is no path of a file';
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  ENOTDIR: 'which does not exist',
  ENAMETOOLONG: 'which does not exist',
  EACCES: 'which this user may not read',
};
