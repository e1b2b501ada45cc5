export type DataInsert = {
  /** Everything before the data's format: `insert into t (a, b)`. */
  readonly head: string;
  /** The `settings …` clause, or nothing. */
  readonly settings: string;
  readonly format: string;
};

/**
 * Takes apart an INSERT whose rows come in the request's body (`insert into t … format X`, or `… values`). Returns
 * null for any other statement, such as `insert … select`.
 */
export function parseDataInsert(sql: string): DataInsert | null {
  const statement = withoutLeadingComments(sql);
  const match = /^(insert\s+into\s.+?)\s+(?:format\s+(\w+)|(values))\s*;?\s*$/is.exec(statement);
  const [, target, format, values] = match ?? [];
  if (target === undefined) return null;
  const settingsAt = target.search(/\ssettings\s+\w+\s*=/i);
  return {
    head: settingsAt < 0 ? target : target.slice(0, settingsAt),
    settings: settingsAt < 0 ? '' : target.slice(settingsAt).trim(),
    format: format ?? (values === undefined ? '' : 'Values'),
  };
}

/**
 * Returns the statement that reads the rows from a file instead. Rows never travel inside the SQL: there a blank
 * line ends the data and whatever follows is executed, and RowBinary that holds the bytes 0a 0a is cut there.
 */
export function insertFromFileSql(
  insert: DataInsert,
  file: { path: string; compression: 'none' | 'gzip' | 'br' },
): string {
  const source = `from infile ${quote(file.path)} compression '${file.compression}'`;
  return [insert.head, source, insert.settings, `format ${insert.format}`]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns `text` as a string literal of ClickHouse's SQL. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*.*?\*\/)*/s, '');
}
