import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '@smartlink/test-support/dns-server';
import { createDomainLookup, txtName } from './domain-proof.js';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.close());

const lookUp = (host: string, publicBaseUrl = 'https://sl.example.com', limitMs = 5_000) =>
  createDomainLookup({ servers: [dns.address], publicBaseUrl, limitMs })(host);

test.each([
  ['one record', [['a=1']], ['a=1']],
  ['several records', [['v=spf1 -all'], ['a=1']], ['v=spf1 -all', 'a=1']],
  ['a record in chunks', [['smartlink-', 'verify', '=x']], ['smartlink-verify=x']],
  ['white space around it', [[' a=1 ']], ['a=1']],
  ['two long strings', [['x'.repeat(255), 'y'.repeat(100)]], ['x'.repeat(255) + 'y'.repeat(100)]],
])('the TXT records of a host: %s', async (_what, TXT, values) => {
  dns.zones.set(txtName('found.example.org'), { TXT });
  expect((await lookUp('found.example.org')).txt).toEqual({ kind: 'found', values });
});

test('a name that does not exist, and one without a TXT record, have none', async () => {
  dns.zones.set(txtName('empty.example.org'), { A: ['192.0.2.1'] });
  expect((await lookUp('empty.example.org')).txt).toEqual({ kind: 'absent' });
  expect((await lookUp('no-such.example.org')).txt).toEqual({ kind: 'absent' });
});

test.each([
  ['SERVFAIL', 'answered SERVFAIL'],
  ['REFUSED', 'refused to answer'],
] as const)('%s does not say whether there is a record', async (zone, text) => {
  const name = txtName(`${zone.toLowerCase()}.example.org`);
  dns.zones.set(name, zone);
  const problem = `The DNS ${text}, asked for ${name}`;
  expect((await lookUp(name.slice(11))).txt).toEqual({ kind: 'unknown', problem });
});

test('a look ends in its time, and silence does not say whether there is a record', async () => {
  const name = txtName('silent.example.org');
  dns.zones.set(name, 'silence');
  const problem = `The DNS did not answer in time, asked for ${name}`;
  // Sooner than the first try at the server ends.
  expect((await lookUp('silent.example.org', undefined, 200)).txt).toEqual({ kind: 'unknown', problem });
});

test('a name server that cannot be reached does not say whether there is a record', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const servers = [`127.0.0.1:${socket.address().port}`];
  await new Promise<void>((resolve) => {
    socket.close(resolve);
  });
  const look = createDomainLookup({ servers, publicBaseUrl: 'https://sl.example.com', limitMs: 1_000 });
  expect((await look('any.example.org')).txt.kind).toBe('unknown');
});

test('a name that is too long for the DNS is not looked up', async () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  expect((await lookUp(host)).txt.kind).toBe('unknown');
});

test.each([
  ['a CNAME to it', { CNAME: ['SL.example.com'] }, true],
  ['one of its addresses', { A: ['198.51.100.1', '192.0.2.7'] }, true],
  ['another address', { A: ['198.51.100.1'] }, false],
  ['another CNAME', { CNAME: ['cdn.example.net'] }, false],
  ['no records', {}, false],
  ['no answer', 'SERVFAIL', null],
] as const)('a host points to the public base: %s', async (_what, zone, expected) => {
  dns.zones.set('sl.example.com', { A: ['192.0.2.7'] });
  dns.zones.set('place.example.org', zone);
  expect((await lookUp('place.example.org')).pointsHere).toBe(expected);
});

test('a public base may be an address', async () => {
  dns.zones.set('home.example.org', { A: ['192.0.2.9'] });
  expect((await lookUp('home.example.org', 'http://192.0.2.9:8080')).pointsHere).toBe(true);
});
