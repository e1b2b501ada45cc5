import { expect, test } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { trialSize } from '@smartlink/test-support/trial-size';
import { type FieldSchema, fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import { MALFORMED_SLUGS } from './smartlink-bodies.js';
import { PUBLIC_BASE_URL, faultsOf, useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

// Wrong values in every field of every type, as the schemas list them. All go through the validator; an ordinary run sends
// one of each field in a create and a PATCH, a full one all of them.
const isSent = trialSize(
  (i: number, index: number, count: number) => i === index % count,
  () => true,
);

const validator = createSmartlinkValidator({ publicBaseUrl: PUBLIC_BASE_URL });
const { service, api } = useService();

const SLUGS = ['', ...MALFORMED_SLUGS, 'Dashboard', 'TOS', 'a'.repeat(65)];
const COLORS = [
  '',
  'red',
  '#12',
  '#12345',
  '#1234567',
  '#ggg',
  '#fff;background:url(x)',
  ' #fff',
  '#fff\n',
  '＃fff',
];

/** Values that a field cannot hold. */
function wrongValues(schema: FieldSchema): readonly unknown[] {
  const missing = schema.isNullable ? [] : [null];
  switch (schema.type) {
    case 'object':
      return [...missing, [], 'x', '', 1, true];
    case 'array':
      return [...missing, {}, 'x', '', 1, true];
    case 'boolean':
      return [...missing, 'true', '', 0, 1, [], {}];
    case 'number':
      return [...missing, '1', '', true, [], {}, ...numbersOutside(schema)];
    default:
      return [...missing, 5, true, [], {}, ['x'], ...wrongTexts(schema)];
  }
}

function numbersOutside({ minimum, maximum }: FieldSchema): readonly number[] {
  return [
    ...(minimum === undefined || minimum < 0 ? [] : [minimum - 0.01, -1, -1e308]),
    ...(maximum === undefined || maximum > 1e300 ? [] : [maximum * 1.01, 1e19, 1e308]),
  ];
}

function wrongTexts(schema: FieldSchema): readonly string[] {
  if (schema.enum)
    return [
      '',
      'Nonsense',
      schema.enum[0]!.toUpperCase() + ' ',
      ` ${schema.enum[0]}`,
      '__proto__x',
      'toString',
    ];
  if (schema.pattern?.startsWith('^#')) return COLORS;
  if (schema.pattern) return SLUGS;
  // In this order, so that every third of them has one that only the parser of addresses refuses.
  if (schema.format === 'uri') {
    const inside = ['http://127.0.0.1/', 'https://user@example.org/', `${PUBLIC_BASE_URL}/x`];
    return [...inside, '', 'x', '//evil.com', 'javascript:alert(1)', 'tel:*%2306%23'];
  }
  const tooLong = '😀'.repeat((schema.maxLength ?? 0) + 1);
  if (schema.format === 'password')
    return ['', '12345', '😀😀😀😀😀', tooLong, 'pass\0word', 'pass\nword', '\ud800password'];
  const invisible = ['', ' ', '\u200b\u202e\ufeff', '\u3164\u2800\u00a0', '\u200d'];
  return [tooLong, 'a\0b', '\ud800', ...(schema.minLength === 1 ? invisible : [])];
}

test.each(TYPES)(
  '%s: a wrong value in any field is a fault at its path and nowhere else',
  async (type) => {
    const { id } = (await api.post('/smartlink', fullDocument(type))).body.data as { id: string };
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    const unexpected: string[] = [];
    for (const [index, { path, schema }] of fieldsOf(type).entries()) {
      const values = [...wrongValues(schema), ...(schema.isNullable ? [] : [undefined])];
      // An element that is not there is a shorter array.
      const possible = values.filter((known) => known !== undefined || path.at(-1) !== 0);
      const note = (how: string, value: unknown, faults: readonly string[]) => {
        const found = [...new Set(faults)].join(' ');
        const what = `${how} ${path.join('.')} ${JSON.stringify([value]).slice(0, 40)}`;
        if (found !== path.join('.')) unexpected.push(`${what}: ${found}`);
      };
      for (const [i, value] of possible.entries()) {
        const document = withValue(fullDocument(type), path, value);
        const checked = validator.validate(document, { hasStoredPassword: false });
        // The parser of bodies refuses those before.
        const isWellFormed = typeof value !== 'string' || value.isWellFormed();
        if (isWellFormed) note('validator', value, checked.ok ? [] : checked.faults.map((one) => one.path));
        if (!isSent(i, index, possible.length)) continue;
        const created = await api.post('/smartlink', document);
        note('create', value, created.status === 400 ? faultsOf(created) : []);
        // What a PATCH leaves out stays as it is.
        if (value === undefined && !path.includes(0)) continue;
        const patched = await api.patch('/smartlink', { ...document, id });
        note('PATCH', value, patched.status === 400 ? faultsOf(patched) : []);
      }
    }
    expect(unexpected).toEqual([]);
    expect(await storedRows(service.app)).toBe(before);
  },
  60_000,
);
