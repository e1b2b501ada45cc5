import { expect, test } from 'vitest';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import type { SmartlinkRow } from '@smartlink/smartlink/store';
import type { ApiError } from '../../errors.js';
import { mergeDocument, patchedRow, planPatch, toPatchWrite } from './patches.js';

test('objects merge at every depth; arrays, null and other values replace', () => {
  const document = { a: { b: { c: 1, d: 2 }, e: [1, 2] }, f: 'x', g: { h: 1 } };
  expect(mergeDocument(document, { a: { b: { d: 3 }, e: [9] }, g: null, i: { j: 1 } })).toEqual({
    a: { b: { c: 1, d: 3 }, e: [9] },
    f: 'x',
    g: null,
    i: { j: 1 },
  });
  expect(mergeDocument({ a: [1] }, { a: { 0: 2 } })).toEqual({ a: { 0: 2 } });
  expect(mergeDocument({ a: { b: 1 } }, { a: 'wrong' })).toEqual({ a: 'wrong' });
});

test('the document itself stays as it was, and no prototype is touched', () => {
  const document = { a: { b: 1 } };
  const merged = mergeDocument(
    document,
    JSON.parse('{"a":{"b":2},"__proto__":{"x":1}}') as Record<string, unknown>,
  );
  expect(document).toEqual({ a: { b: 1 } });
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(merged['a']).toEqual({ b: 2 });
});

const validator = createSmartlinkValidator({ publicBaseUrl: 'https://sl.example.com' });
const id = '00000000-0000-4000-8000-000000000000';
const rowOf = (type: string, content: object) =>
  ({
    type,
    name: 'Docs',
    slug: 'docs',
    open_graph: null,
    content: { [type]: content },
    password_hash: null,
  }) as unknown as SmartlinkRow;

test('an appearance merges by member, is cleared by null, and outlives types that have none', () => {
  const validator = createSmartlinkValidator({ publicBaseUrl: 'https://sl.example.com' });
  const id = '00000000-0000-4000-8000-000000000000';
  const shortener = { url: 'https://example.org/', protected: false };
  let row = {
    type: 'Landing',
    name: 'Docs',
    slug: 'docs',
    open_graph: null,
    appearance: null,
    pause_reason: null,
    content: { Landing: { landing: {} }, Url: { shortener }, QRTag: { qrTag: {} } },
    password_hash: null,
  } as unknown as SmartlinkRow;
  const after = (change: object) => {
    const patch = { id, ...change };
    const planned = planPatch(validator, row, patch);
    row = patchedRow(row, toPatchWrite(row, patch, planned, { passwordHash: undefined, urlsChecked: true }));
    return row.appearance;
  };
  const soft = { buttonStyle: 'soft', background: 'plain' };
  const ofType = (smartlinkType: string) => ({ configuration: { smartlinkType } });
  expect(after({ appearance: { buttonStyle: 'soft' } })).toEqual({ buttonStyle: 'soft' });
  expect(after({ appearance: { background: 'plain' } })).toEqual(soft);
  expect(after({ landing: { title: 'T' } })).toEqual(soft);
  expect(after({ ...ofType('Url'), appearance: { buttonStyle: 'no such' } })).toEqual(soft);
  expect(after({ appearance: null })).toEqual(soft);
  expect(after(ofType('QRTag'))).toEqual(soft);
  expect(after({ appearance: { background: null } })).toEqual({ buttonStyle: 'soft' });
  expect(after({ appearance: { buttonStyle: null } })).toBeNull();
  expect(after({ appearance: soft })).toEqual(soft);
  expect(after({ appearance: null })).toBeNull();
});

test('utm merges by member, is cleared by null, and outlives types that have none', () => {
  const shortener = { url: 'https://example.org/', protected: false };
  let row = { ...rowOf('Url', { shortener }), utm: null, redirect: null, pause_reason: null } as SmartlinkRow;
  const after = (rest: object) => {
    const patch = { id, ...rest };
    const planned = planPatch(validator, row, patch);
    row = patchedRow(row, toPatchWrite(row, patch, planned, { passwordHash: undefined, urlsChecked: true }));
    return row.utm;
  };
  const both = { source: 'mail', campaign: 'spring sale' };
  expect(after({ utm: { source: 'mail' } })).toEqual({ source: 'mail' });
  expect(after({ utm: { campaign: 'spring sale', medium: null } })).toEqual(both);
  expect(after({ configuration: { smartlinkType: 'Landing' }, landing: {}, utm: 5 })).toEqual(both);
  expect(after({ utm: null })).toEqual(both);
  expect(after({ configuration: { smartlinkType: 'Url' } })).toEqual(both);
  expect(after({ utm: { campaign: null } })).toEqual({ source: 'mail' });
  expect(after({ utm: { source: null } })).toBeNull();
  expect(after({ utm: both })).toEqual(both);
  expect(after({ utm: null })).toBeNull();
});

test('a patch keeps a URL that was stored under earlier rules, and checks one that it brings', () => {
  const row = rowOf('Url', { shortener: { url: 'http://intranet.lan/', protected: false } });
  const renamed = planPatch(validator, row, { id, configuration: { smartlinkName: 'New' } });
  expect([renamed.parts.name, renamed.newUrls]).toEqual(['New', []]);
  expect(() => planPatch(validator, row, { id, shortener: { url: 'http://other.lan/' } })).toThrow();
});

test('an address of this instance stays a target where it is one, and a button never becomes one', () => {
  const own = 'https://sl.example.com/menu';
  const rename = { id, configuration: { smartlinkName: 'New' } };
  const toUrl = { id, configuration: { smartlinkType: 'Url' }, shortener: { url: own } };
  const target = rowOf('Url', { shortener: { url: own, protected: false } });
  const page = rowOf('Landing', { landing: {}, landingButtons: [{ title: 'Menu', link: own }] });
  expect(planPatch(validator, target, rename).newUrls).toEqual([]);
  expect(planPatch(validator, page, rename).newUrls).toEqual([]);
  expect(() => planPatch(validator, page, toUrl)).toThrow();
});

test('beside a type that does not exist, a patch is checked against the present type', () => {
  const row = rowOf('Url', { shortener: { url: 'https://example.org/', protected: false } });
  const faultsOf = (shortener: object) => {
    const plan = () => planPatch(validator, row, { id, configuration: { smartlinkType: 'url' }, shortener });
    try {
      plan();
      return [];
    } catch (err) {
      return (err as ApiError).details?.map(({ path }) => path);
    }
  };
  expect(faultsOf({ protected: false })).toEqual(['configuration.smartlinkType']);
  expect(faultsOf({ url: 'example.org' })).toEqual(['configuration.smartlinkType', 'shortener.url']);
});
