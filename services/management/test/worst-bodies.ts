// Bodies of a mebibyte that make as much work as a mebibyte can.

const MIB = 1024 * 1024;

const head = (type: string, content: string) =>
  `{"configuration":{"smartlinkName":"n","smartlinkType":"${type}"},${content}`;

/** `start`, then `unit` as often as it fits into a mebibyte with `end`, separated by commas. */
function filled(start: string, unit: string, end: string): string {
  const times = Math.floor((MIB - start.length - end.length) / (unit.length + 1));
  return `${start}${Array.from({ length: times }, () => unit).join(',')}${end}`;
}

/** A menu of 100 categories with as many of `item` in each as fit, 500 at most. */
function menu(item: string, category = '"name":"n",'): string {
  const perCategory = Math.min(500, Math.floor((MIB - 200) / 100 - 40 - category.length) / (item.length + 1));
  const items = Array.from({ length: perCategory }, () => item).join(',');
  const categories = Array.from({ length: 100 }, () => `{${category}"items":[${items}]}`).join(',');
  return head('QrMenu', `"qrMenu":{"categories":[${categories}]}}`);
}

const twenty = (unit: string) => Array.from({ length: 20 }, () => unit).join(',');
const string = (content: string, before: string, after: string) => {
  const times = Math.floor((MIB - before.length - after.length) / Buffer.byteLength(content));
  return `${before}${content.repeat(times)}${after}`;
};

function unknownKeys(start: string, end: string): string {
  const parts: string[] = [];
  let length = start.length + end.length;
  for (let i = 0; length < MIB - 20; i += 1) {
    parts.push(`"${i.toString(36)}":1`);
    length += parts.at(-1)!.length + 1;
  }
  return `${start}${parts.join(',')}${end}`;
}

/** Each body by name; `id` makes them patches too. Some are valid. */
export function worstBodies(id: string): Readonly<Record<string, string>> {
  const landing = (content: string) => head('Landing', `"id":"${id}","landing":{},${content}`);
  const withId = (body: string) => body.replace('{', `{"id":"${id}",`);
  const deep = `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`;
  return {
    '500,000 numbers as buttons': filled(landing('"landingButtons":['), '1', ']}'),
    '350,000 empty buttons': filled(landing('"landingButtons":['), '{}', ']}'),
    '250,000 empty arrays as buttons': filled(landing('"landingButtons":['), '[]', ']}'),
    '50,000 empty items': withId(menu('{}')),
    'items of 20 empty variants and badges': withId(
      menu(`{"variants":[${twenty('{}')}],"badges":[${twenty('1')}]}`, ''),
    ),
    'items of 20 badges of nothing': withId(menu(`{"badges":[${twenty('""')}]}`)),
    'items with bad images': withId(menu('{"name":"a","price":1,"imageLink":"x"}')),
    'items with images, valid': withId(menu('{"name":"a","price":1,"imageLink":"http://a.bc"}')),
    'items, valid': withId(menu('{"name":"a","price":1}')),
    'items of 20 variants, valid': withId(
      menu(`{"name":"a","price":1,"variants":[${twenty('{"label":"a","price":1}')}]}`),
    ),
    'a hundred buttons that almost call': landing(
      `"landingButtons":[${Array.from({ length: 100 }, () => `{"title":"t","link":"tel:${'5'.repeat(2040)}x"}`).join(',')}]}`,
    ),
    'a hundred buttons that almost write': landing(
      `"landingButtons":[${Array.from({ length: 100 }, () => `{"title":"t","link":"mailto:${'@'.repeat(2000)}?x"}`).join(',')}]}`,
    ),
    'one string of letters': string('a', head('TxtBin', `"id":"${id}","txtBin":{"text":"`), '"}}'),
    'one string of nothing to see': string(
      '\u200b',
      head('TxtBin', `"id":"${id}","txtBin":{"text":"`),
      '"}}',
    ),
    'one string of escapes': string('\\u0041', head('TxtBin', `"id":"${id}","txtBin":{"text":"`), '"}}'),
    'one string of quotes': string('\\"', head('TxtBin', `"id":"${id}","txtBin":{"text":"`), '"}}'),
    'a name of spaces': string(
      ' ',
      `{"id":"${id}","configuration":{"smartlinkType":"Url","smartlinkName":"`,
      '"}}',
    ),
    'an address of letters': string(
      'a',
      `{"id":"${id}","configuration":{"smartlinkType":"Url","smartlinkUrl":"`,
      '"}}',
    ),
    'a type of letters': string('a', `{"id":"${id}","configuration":{"smartlinkType":"`, '"}}'),
    'a key of letters': string('a', `{"id":"${id}","`, '":1}'),
    '100,000 unknown keys': unknownKeys(`{"id":"${id}","configuration":{`, '}}'),
    '100,000 unknown keys beside a good document': unknownKeys(
      head('Url', `"id":"${id}","shortener":{"url":"https://example.org/"},"x":{`),
      '}}',
    ),
    'objects in objects': filled(head('Url', `"id":"${id}","x":[`), deep, ']}'),
    '150,000 halves of characters': filled(`{"id":"${id}","x":[`, '"\\ud800"', ']}'),
    'halves of characters under long keys': `{"id":"${id}","${'k'.repeat(900_000)}":[${Array.from({ length: 1_000 }, () => '"\\ud800"').join(',')}]}`,
    brackets: '['.repeat(MIB),
    'closed brackets': `${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}`,
    'long digits': `{"id":"${id}","x":${'1'.repeat(MIB - 100)}}`,
    spaces: `${' '.repeat(MIB - 2)}{}`,
  };
}
