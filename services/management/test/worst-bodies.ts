// Bodies of a mebibyte that cause the most work.

const MIB = 1024 * 1024;

/** `start`, then `unit` as often as fits into a mebibyte with `end`, with `separator` between. */
function filled(start: string, unit: string, end: string, separator = ','): string {
  const bytes = MIB - Buffer.byteLength(start + end);
  const times = Math.floor(bytes / Buffer.byteLength(unit + separator));
  return `${start}${Array.from({ length: times }, () => unit).join(separator)}${end}`;
}

const repeated = (unit: string, count: number) => Array.from({ length: count }, () => unit).join(',');

/** Each body by name; `id` makes them patches too. Some are valid. */
export function worstBodies(id: string): Readonly<Record<string, string>> {
  const head = (type: string, content: string) =>
    `{"id":"${id}","configuration":{"smartlinkName":"n","smartlinkType":"${type}"},${content}`;
  /** A menu of 100 categories with as many of `item` in each as fit, 500 at most. */
  const menu = (item: string) => {
    const perCategory = Math.min(500, Math.floor((MIB - 200) / 100 - 60) / (item.length + 1));
    const category = `{"name":"n","items":[${repeated(item, perCategory)}]}`;
    return head('QrMenu', `"qrMenu":{"categories":[${repeated(category, 100)}]}}`);
  };
  const text = (unit: string) => filled(head('TxtBin', '"txtBin":{"text":"'), unit, '"}}', '');
  const unknownKeys = Array.from({ length: 80_000 }, (_, i) => `"${i.toString(36)}":1`).join(',');
  return {
    '350,000 empty buttons': filled(head('Landing', '"landing":{},"landingButtons":['), '{}', ']}'),
    '50,000 empty items': menu('{}'),
    'items of 20 empty variants and badges': menu(
      `{"variants":[${repeated('{}', 20)}],"badges":[${repeated('1', 20)}]}`,
    ),
    'items with images, valid': menu('{"name":"a","price":1,"imageLink":"http://a.bc"}'),
    'items of 20 variants, valid': menu(
      `{"name":"a","price":1,"variants":[${repeated('{"label":"a","price":1}', 20)}]}`,
    ),
    'one string of invisible characters': text('\u200b'),
    'one string of escapes': text('\\u0041'),
    'a type of letters': filled(`{"id":"${id}","configuration":{"smartlinkType":"`, 'a', '"}}', ''),
    '80,000 unknown keys': head('Url', `"shortener":{"url":"https://example.org/"},"x":{${unknownKeys}}}`),
    'objects in objects': filled(head('Url', '"x":['), `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`, ']}'),
    '150,000 halves of characters': filled(`{"id":"${id}","x":[`, '"\\ud800"', ']}'),
    'halves of characters under long keys': `{"id":"${id}","${'k'.repeat(900_000)}":[${repeated('"\\ud800"', 1_000)}]}`,
    brackets: '['.repeat(MIB),
  };
}
