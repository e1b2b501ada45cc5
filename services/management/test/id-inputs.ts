/** One way to give an id: in a query string, as it stands after the `?`, and in a JSON body. null: not there. */
export type IdInput = { readonly name: string; readonly query: string | null; readonly json: unknown };

const text = (name: string, id: string): IdInput => ({
  name,
  query: `id=${encodeURIComponent(id)}`,
  json: id,
});
const query = (name: string, raw: string): IdInput => ({ name, query: raw, json: undefined });
const json = (name: string, value: unknown): IdInput => ({ name, query: null, json: value });

/** Ids that are one well-formed id, badly spelt. */
export function misspelt(id: string): readonly IdInput[] {
  return [
    text('upper case', id.toUpperCase()),
    text('a space before', ` ${id}`),
    text('a space after', `${id} `),
    text('a line feed after', `${id}\n`),
    text('a NUL after', `${id}\0`),
    text('a NUL in it', `${id.slice(0, 8)}\0${id.slice(8)}`),
    text('in double quotes', `"${id}"`),
    text('in single quotes', `'${id}'`),
    text('in braces', `{${id}}`),
    text('as a URN', `urn:uuid:${id}`),
    text('without hyphens', id.replaceAll('-', '')),
    text('cut', id.slice(0, -1)),
    text('with another digit', `${id}0`),
    text('twice in one', `${id},${id}`),
    text('with a path', `${id}/../${id}`),
    text('with SQL', `${id}' or '1'='1`),
    text('with a comment', `${id}'--`),
    text(
      'full width',
      id.replaceAll(/[^-]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
    ),
    text('zero width', `\u200b${id}`),
    text('a byte-order mark', `\ufeff${id}`),
    text('right to left', `\u202e${id}`),
    query('encoded twice', `id=${encodeURIComponent(encodeURIComponent(`${id} `))}`),
    query('percent-encoded NUL', `id=${id}%00`),
    query('a broken escape', `id=${id}%`),
    query('bytes that are no UTF-8', `id=%ff${id}`),
    query('a matrix parameter', `id=${id};x=1`),
  ];
}

/** Malformed ids; some contain `id`. */
export function malformed(id: string): readonly IdInput[] {
  return [
    text('a word', 'x'),
    text('zero', '0'),
    text('minus one', '-1'),
    text('null', 'null'),
    text('undefined', 'undefined'),
    text('a star', '*'),
    text('a percent sign', '%'),
    text('the nil id', '00000000-0000-0000-0000-000000000000'),
    text('the highest id', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    text('10 KB', 'a'.repeat(10_000)),
    text('an emoji', '😀'.repeat(36)),
    text('a prototype', '__proto__'),
    text('a method', 'constructor'),
    text('JSON', `{"$ne":"${id}"}`),
    text('a template', '${7*7}'),
    query('nothing', 'id='),
    query('no value', 'id'),
    query('twice', `id=${id}&id=${id}`),
    query('an array', `id[]=${id}`),
    query('an index', `id[0]=${id}`),
    query('a member', `id[$ne]=${id}`),
    query('an encoded array', `id%5B%5D=${id}`),
    json('absent', undefined),
    json('an empty text', ''),
    json('JSON null', null),
    json('true', true),
    json('a number', 7),
    json('an empty array', []),
    json('an array', [id]),
    json('an object', { id }),
    json('a condition', { $ne: id }),
  ];
}
