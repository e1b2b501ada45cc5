import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { check } from '@smartlink/smartlink/document';
import { ApiError } from '../../errors.js';
import { decodeListCursor, encodeListCursor, listShape, orderOf } from './list-smartlinks.js';

const id = '019aa5c4-c000-7000-8000-000000000001';
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const decode = (...[cursor, sort, order]: Parameters<typeof decodeListCursor>) => {
  try {
    return decodeListCursor(cursor, sort, order);
  } catch (err) {
    return err instanceof ApiError ? err.details : err;
  }
};

describe('a cursor', () => {
  test.each([
    ['createdAt', ['1767225600123']],
    ['updatedAt', ['1767225600123', '0']],
    ['name', ['a.b.c', 'çay\n☕', '.']],
    ['visits', ['1', '999999999999', null]],
    ['lastVisitAt', ['1767225600123', null]],
  ] as const)('of %s leads back to its place, in its order alone', (sort, keys) => {
    for (const key of keys)
      for (const order of ['asc', 'desc'] as const) {
        const cursor = encodeListCursor({ key, id }, sort, order);
        expect(decode(cursor, sort, order)).toEqual({ key, id });
        const other = order === 'asc' ? 'desc' : 'asc';
        expect(decode(cursor, sort, other)).toEqual([
          { path: 'cursor', message: 'Must be a cursor from an earlier answer' },
        ]);
      }
  });

  test('of the newest first is the one of before', () => {
    const cursor = base64url(`1767225600123.${id}`);
    expect(encodeListCursor({ key: '1767225600123', id }, 'createdAt', 'desc')).toBe(cursor);
    expect(decode(cursor, 'createdAt', 'desc')).toEqual({ key: '1767225600123', id });
  });

  test.each([
    `visits.asc.${id}.-1`,
    `visits.asc.${id}.1e3`,
    `visits.asc.${id}.${'9'.repeat(16)}`,
    `visits.asc.x.1`,
    `visits.asc.${id}`,
    `name.asc.${id}.1`,
    `visits.asc.${id.toUpperCase()}.1`,
    '',
  ])('is refused when it was changed: %j', (text) => {
    expect(decode(base64url(text), 'visits', 'asc')).toMatchObject([{ path: 'cursor' }]);
  });

  test('cannot bring a NUL to Postgres, nor lack the key of an order that has one', () => {
    expect(decode(base64url(`name.asc.${id}.a\0`), 'name', 'asc')).toMatchObject([{ path: 'cursor' }]);
    for (const sort of ['name', 'updatedAt'] as const)
      expect(decode(base64url(`${sort}.asc.${id}.`), sort, 'asc')).toMatchObject([{ path: 'cursor' }]);
  });
});

test('names ascend and everything else descends, unless said otherwise', () => {
  expect(orderOf({})).toEqual({ sort: 'createdAt', order: 'desc' });
  expect(orderOf({ sort: 'name' })).toEqual({ sort: 'name', order: 'asc' });
  expect(orderOf({ sort: 'name', order: 'desc' })).toEqual({ sort: 'name', order: 'desc' });
  expect(orderOf({ sort: 'lastVisitAt' })).toEqual({ sort: 'lastVisitAt', order: 'desc' });
});

test('comma lists are arrays of at most fifty', () => {
  const parse = (tag: string) => check(z.object(listShape), { tag });
  const fifty = Array.from({ length: 50 }, (_none, i) => `t${i}`);
  expect(parse(fifty.join(','))).toMatchObject({ ok: true, value: { tag: fifty } });
  const refused = (message: string) => ({ ok: false, faults: [{ path: 'tag', message }] });
  expect(parse([...fifty, 'x'].join(','))).toMatchObject(refused('Must have at most 50 values'));
  expect(parse('a,,b')).toMatchObject(refused('Must not be empty'));
});
