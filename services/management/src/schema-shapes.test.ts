import { expect, test } from 'vitest';
import { documentSchemas } from '@smartlink/smartlink/document';
import { answerShape, patchShape } from './schema-shapes.js';

const schemas = documentSchemas({ publicBaseUrl: 'https://sl.example.com', passwordRequired: true });
const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

test('a patch may leave out every member, clear the optional ones with null, and not the required ones', () => {
  const landing = patchShape(schemas.Landing);
  expect(accepts(landing, {})).toBe(true);
  expect(accepts(landing, { landing: {} })).toBe(true);
  expect(accepts(landing, { landing: { title: null, layout: null }, openGraph: null })).toBe(true);
  expect(accepts(landing, { landing: { title: 1 } })).toBe(false);
  expect(accepts(landing, { landing: null })).toBe(false);
  expect(accepts(landing, { configuration: { smartlinkName: null } })).toBe(false);
  expect(patchShape(schemas.Landing).parse({ landing: {} })).toEqual({ landing: {} });
});

test('a patch replaces whole arrays, so members of their elements stay required', () => {
  const landing = patchShape(schemas.Landing);
  expect(accepts(landing, { landingButtons: [] })).toBe(true);
  expect(accepts(landing, { landingButtons: null })).toBe(true);
  expect(accepts(landing, { landingButtons: [{ title: 'Shop' }] })).toBe(false);
});

test('an answer has its defaults, no null, no password and nothing that is not named', () => {
  const url = answerShape(schemas.Url);
  const configuration = { smartlinkName: 'Docs', smartlinkType: 'Url' };
  const shortener = { url: 'https://example.org/', protected: false };
  expect(accepts(url, { configuration, shortener })).toBe(true);
  expect(accepts(url, { configuration, shortener, openGraph: { title: 'Docs' } })).toBe(true);
  expect(accepts(url, { configuration, shortener: { url: shortener.url } })).toBe(false);
  expect(accepts(url, { configuration, shortener: { ...shortener, password: 'secret' } })).toBe(false);
  expect(accepts(url, { configuration, shortener, openGraph: null })).toBe(false);
  expect(accepts(url, { configuration, shortener, openGraph: { title: null } })).toBe(false);
  expect(accepts(url, { configuration, shortener, more: 1 })).toBe(false);
});

test('an answer is so at every depth', () => {
  const menu = answerShape(schemas.QrMenu);
  const withItem = (item: object) => ({
    configuration: { smartlinkName: 'Lunch', smartlinkType: 'QrMenu' },
    qrMenu: { currency: '₼', categories: [{ name: 'Soups', items: [item] }] },
  });
  const item = { name: 'Dovga', price: 4.5, active: true };
  expect(accepts(menu, withItem(item))).toBe(true);
  expect(accepts(menu, withItem({ name: 'Dovga', price: 4.5 }))).toBe(false);
  expect(accepts(menu, withItem({ ...item, imageLink: null }))).toBe(false);
  expect(accepts(menu, withItem({ ...item, more: 1 }))).toBe(false);
});
