import { expect, test } from 'vitest';
import { createTrustedProxies } from '@smartlink/process/client-address';
import { createSenders, parseInternalPath, parsePressPath, parseVisitPath } from './visit-request.js';

/** A connection that counts how often it was asked for its address. */
function connection(...bytes: number[]) {
  const peer = {
    asked: 0,
    getRemoteAddress: (): ArrayBuffer => {
      peer.asked += 1;
      return Uint8Array.from(bytes).buffer;
    },
  };
  return peer;
}

const EDGE = [10, 0, 0, 1] as const;
const OTHER_EDGE = [10, 0, 0, 2] as const;
const STRANGER = [203, 0, 113, 9] as const;
const senders = () => createSenders(createTrustedProxies(['10.0.0.0/8']));
const textOf = (sender: { address: { text: string } }) => sender.address.text;

test('while all connections are from one address, it is read once', () => {
  const { onOpen, senderOf } = senders();
  const connections = [connection(...STRANGER), connection(...STRANGER)];
  for (const peer of connections) onOpen(peer);
  for (const peer of connections) {
    expect(senderOf(peer)).toMatchObject({ address: { text: '203.0.113.9' }, isProxy: false });
    expect(peer.asked).toBe(1);
  }
});

test('after a second address connects, addresses are distinguished, also after it has gone', () => {
  const { onOpen, onClose, senderOf } = senders();
  const [edge, stranger] = [connection(...EDGE), connection(...STRANGER)];
  onOpen(edge);
  onOpen(stranger);
  expect(senderOf(stranger)).toMatchObject({ address: { text: '203.0.113.9' }, isProxy: false });
  expect(senderOf(edge)).toMatchObject({ address: { text: '10.0.0.1' }, isProxy: true });
  // Which of them has gone is not known.
  onClose();
  expect(textOf(senderOf(stranger))).toBe('203.0.113.9');
  expect(textOf(senderOf(edge))).toBe('10.0.0.1');
});

test('after the last connection has closed, the next address is the only one', () => {
  const { onOpen, onClose, senderOf } = senders();
  for (const peer of [connection(...EDGE), connection(...STRANGER)]) onOpen(peer);
  onClose();
  onClose();
  const next = connection(...OTHER_EDGE);
  onOpen(next);
  expect(textOf(senderOf(next))).toBe('10.0.0.2');
  expect(next.asked).toBe(1);
});

test('proxies are interchangeable, and never with an untrusted address', () => {
  const { onOpen, senderOf, exactSenderOf } = senders();
  const [edge, other, stranger] = [
    connection(...EDGE),
    connection(...OTHER_EDGE),
    connection(...STRANGER),
  ] as const;
  onOpen(edge);
  onOpen(other);
  expect(senderOf(other).isProxy).toBe(true);
  expect(other.asked).toBe(1);
  expect(textOf(exactSenderOf(other))).toBe('10.0.0.2');
  onOpen(stranger);
  expect(senderOf(stranger).isProxy).toBe(false);
});

test('a connection closed before its address was read changes nothing', () => {
  const { onOpen, onClose, senderOf } = senders();
  const edge = connection(...EDGE);
  onOpen(edge);
  onOpen(connection());
  expect(textOf(senderOf(edge))).toBe('10.0.0.1');
  onClose();
  expect(textOf(senderOf(edge))).toBe('10.0.0.1');
});

test('after a first connection without an address, the next ones are still distinguished', () => {
  const { onOpen, senderOf } = senders();
  const [edge, stranger] = [connection(...EDGE), connection(...STRANGER)];
  onOpen(connection());
  onOpen(edge);
  onOpen(stranger);
  expect(textOf(senderOf(edge))).toBe('10.0.0.1');
  expect(textOf(senderOf(stranger))).toBe('203.0.113.9');
});

test.each([
  ['/Docs', 'Docs', false],
  ['/Docs/', 'Docs', false],
  ['/q/Docs', 'Docs', true],
  ['/Q/DOCS/', 'DOCS', true],
  ['/q', 'q', false],
  ['/q/', 'q', false],
  ['/q/q', 'q', true],
  [`/${'a'.repeat(64)}`, 'a'.repeat(64), false],
  ['/spring-sale', 'spring-sale', false],
  ['/q/2dt1pnm_/', '2dt1pnm_', true],
  ['/_', '_', false],
])('%s is the address %s', (path, slug, isScan) => {
  expect(parseVisitPath(path)).toEqual({ slug, isScan });
});

test.each([
  ...'/ // //evil.com //Docs /Docs// /slug/x /q/Docs/x /q//Docs'.split(' '),
  `/${'a'.repeat(65)}`,
  ...'/- /-/ /q/- /-/- /a-b/c /=docs /a=b /a+b /a%2Bb /%00 /.. /../Docs /%2e%2e /D%6Fcs /ä /ſ /-/live /favicon.ico'.split(
    ' ',
  ),
  '/Docs ',
  '',
])('%j is no address', (path) => {
  expect(parseVisitPath(path)).toBeNull();
});

test.each([
  ['/-/preview/Docs', { kind: 'preview', slug: 'Docs' }],
  ['/-/preview/docs/', { kind: 'preview', slug: 'docs' }],
  ['/-/card/leyla.vcf', { kind: 'vcard', slug: 'leyla' }],
  ['/-/qr/docs.svg', { kind: 'qr', slug: 'docs', format: 'svg' }],
  ['/-/qr/docs.png', { kind: 'qr', slug: 'docs', format: 'png' }],
  ['/-/ipad/app', { kind: 'chosen', slug: 'app', isScan: false, platform: 'ipad' }],
  ['/-/mac/q/app', { kind: 'chosen', slug: 'app', isScan: true, platform: 'mac' }],
  ['/-/ipad/q', { kind: 'chosen', slug: 'q', isScan: false, platform: 'ipad' }],
  ['/-/preview/spring-sale', { kind: 'preview', slug: 'spring-sale' }],
  ['/-/preview/-', null],
  ['/-/preview/', null],
  ['/-/preview/a/b', null],
  ['/-/preview/%61', null],
  ['/-/card/leyla', null],
  ['/-/card/leyla.vcf/', null],
  ['/-/qr/docs.gif', null],
  ['/-/qr/.svg', null],
  ['/-/ipad/q/', null],
  ['/-/android/app', null],
  [`/-/qr/${'a'.repeat(65)}.png`, null],
  ['/preview/docs', null],
])('the internal address %j', (path, address) => {
  expect(parseInternalPath(path)).toEqual(address);
});

test.each([
  ['/-/press/Docs/button:3', { slug: 'Docs', button: 'button:3' }],
  ['/-/press/docs/a/b/', { slug: 'docs', button: 'a/b/' }],
  ['/-/press/docs', { slug: 'docs', button: '' }],
  ['/-/press/', { slug: '', button: '' }],
  ['/-/press', null],
  ['/-/Press/docs/button:3', null],
  ['//-/press/docs/button:3', null],
])('%s is the address of a press: %j', (path, address) => {
  expect(parsePressPath(path)).toEqual(address);
});
