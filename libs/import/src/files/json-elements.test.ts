import { expect, test } from 'vitest';
import { ROW_BYTES_MAX } from './import-row.js';
import { type JsonElement, readJsonElements, type RowsAt } from './json-elements.js';

async function scan(text: string | Buffer, rowsAt: RowsAt, chunkBytes = 1 << 16): Promise<JsonElement[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += chunkBytes)
      yield await Promise.resolve(bytes.subarray(i, i + chunkBytes));
  }
  const found: JsonElement[] = [];
  for await (const element of readJsonElements(chunks(), rowsAt)) found.push(element);
  return found;
}

const show = (element: JsonElement) => ('bytes' in element ? element.bytes.toString() : element.reason);
const texts = async (text: string, rowsAt: RowsAt, chunkBytes?: number) =>
  (await scan(text, rowsAt, chunkBytes)).map(show);

const A = '{"a":"]},{[\\"\\\\","b":[{},[1,{"c":null}]]}';
const B = '{\n  "ü": "😀"\n}';

test.each<[string, RowsAt, string]>([
  ['an array', [], `[${A},${B}]`],
  ['an array with space around', [], ` [\r\n ${A} ,\t${B}\n]\n`],
  ['several arrays', [], `[${A}]\n[${B}]`],
  ['an array in an object', ['links'], `{"x":{"links":[1]},"y":[{"links":[2]}],"links":[${A},${B}],"z":1}`],
  ['an object in an object', ['links'], `{"links":{"link_1":${A},"link_2":${B}},"stats":{"a":{}}}`],
  ['an array two objects deep', ['s', 'data'], `{"data":[3],"s":{"p":{"data":[4]},"data":[${A},${B}]}}`],
  ['several pages', ['data'], `{"data":[${A}],"total":2}{"total":2,"data":[${B}]}`],
  ['objects one after the other', null, `${A}\n${B}`],
  ['objects that nothing parts', null, `${A}${B}`],
])('finds the rows of %s, wherever the chunks end', async (_what, rowsAt, text) => {
  for (const chunkBytes of [1, 2, 3, 7, 1000])
    expect(await texts(text, rowsAt, chunkBytes), `${chunkBytes}`).toEqual([A, B]);
});

test('finds rows that are no objects, to be refused one by one', async () => {
  const NO_OBJECT = 'is not a JSON object';
  expect(await texts('[1, "a,]", null,[2,{}] , true]', [])).toEqual([
    NO_OBJECT,
    NO_OBJECT,
    NO_OBJECT,
    '[2,{}]',
    NO_OBJECT,
  ]);
  expect(await texts('{"data":{"a":1,"b":null,"c":{}}}', ['data'])).toEqual([NO_OBJECT, NO_OBJECT, '{}']);
});

const NOT_JSON = 'is not valid JSON: the rest of the file cannot be read';

test.each([
  ['a bracket of another kind', '[{"b":2},{"a":1],{"b":2}]', ['{"b":2}', NOT_JSON]],
  ['a comma that is missing', '[{"a":1}{"b":2}]', ['{"a":1}', NOT_JSON]],
  ['a word', '[{"b":2},{"a":nope},{"b":2}]', ['{"b":2}', NOT_JSON]],
  ['words between rows', '[{"a":1} oops ! {"b":2}]', ['{"a":1}', NOT_JSON]],
  ['a quote that is missing', '[\n{"b":2},{"a":"x},\n  {"b":[\n    {"c":1}]}\n]', ['{"b":2}', NOT_JSON]],
])('reads the rows before garbage: %s', async (_what, text, expected) => {
  expect(await texts(text, [])).toEqual(expected);
});

test('says on which line the row of garbage begins', async () => {
  expect((await scan('[\n{"a":1},\n\n{"b":\nnope}]', [])).at(-1)).toMatchObject({
    line: 4,
    reason: NOT_JSON,
  });
});

test('says on which line each row begins', async () => {
  for (const chunkBytes of [1, 3, 1000]) {
    const found = await scan('[\n1,\n\n{\n"abcdef":2},{}]', [], chunkBytes);
    expect(found.map(({ line }) => line)).toEqual([2, 4, 5]);
  }
});

test.each<[string, string, string]>([
  ['an element', '[{"a":1},{"a":"', '"},{"b":2}]'],
  ['an element of brackets', `[{"a":1},${'['.repeat(1000)}"`, `"${']'.repeat(1000)},{"b":2}]`],
])('reads nothing behind %s beyond a mebibyte', async (_what, start, end) => {
  const text = `${start}${'x'.repeat(10 * ROW_BYTES_MAX)}${end}`;
  expect(await texts(text, [])).toEqual([
    '{"a":1}',
    `is longer than ${ROW_BYTES_MAX} bytes: the rest of the file cannot be read`,
  ]);
});

test('reads the row behind one of many brackets', async () => {
  const deep = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
  expect((await texts(`[${deep},{"b":2}]`, []))[1]).toBe('{"b":2}');
});

test('recognises a page without links', async () => {
  expect(await texts('{"data":[{}]}{"error":"slow down"}', ['data'])).toEqual([
    '{}',
    'has no list of links, unlike the page before it',
  ]);
});
