import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyTypeShape, documentSchemas } from '@smartlink/smartlink/document';
import { findIgnored, type KnownMembers, knownMembers } from './ignored-input.js';
import { CREATE_EXAMPLES } from './smartlinks/documents/reference.js';

const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example.com', passwordRequired: true });
const known = knownMembers(z.object(anyTypeShape(schemas))) as KnownMembers;
const ignored = (body: unknown) => findIgnored(known, body);

test('names unknown members at every depth, with array indexes', () => {
  expect(
    ignored({
      status: 'Paused',
      configuration: { smartlinkName: 'a', tag: 1, toString: 2 },
      shortener: { expiresAt: null },
      landingButtons: [{ title: 'a' }, { title: 'b', colour: {} }],
      qrMenu: { categories: [{ items: [{}, { variants: [{ sku: 1 }] }] }] },
    }),
  ).toEqual([
    'status',
    'configuration.tag',
    'configuration.toString',
    'shortener.expiresAt',
    'landingButtons.1.colour',
    'qrMenu.categories.0.items.1.variants.0.sku',
  ]);
});

test('no member of any type is one, nor anything inside a value of the wrong type', () => {
  const bodies = Object.values(CREATE_EXAMPLES).map(({ value }) => value);
  expect(bodies.map(ignored)).toEqual(bodies.map(() => []));
  expect(ignored(Object.assign({}, ...bodies))).toEqual([]);
  expect(ignored({ configuration: { smartlinkName: { x: 1 } }, landing: 'x', shortener: null })).toEqual([]);
  for (const body of [[{ x: 1 }], 'x', 1, null, undefined]) expect(ignored(body)).toEqual([]);
});

test('an API key in the place of a name is hidden', () => {
  expect(ignored({ shortener: { [`${'x'.repeat(60)}slk_live_abc`]: 1 } })).toEqual(['shortener.[API key]']);
});

test('a hundred thousand unknown members are 20 paths, and a long name its first 64 characters', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, { x: 1 }]));
  expect(ignored(many)).toEqual(Array.from({ length: 20 }, (_, i) => `k${i}`));
  const buttons = Array.from({ length: 100_000 }, () => ({ x: 1, y: 2 }));
  expect(ignored({ landingButtons: buttons })).toHaveLength(20);
  expect(ignored({ landing: { ['k'.repeat(500_000)]: 1 } })).toEqual([`landing.${'k'.repeat(64)}`]);
});
