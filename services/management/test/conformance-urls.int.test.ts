import dns from 'node:dns';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STORES, menuItem, smartlink } from './smartlink-bodies.js';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

// decisions.md, URLs: a service that looked at them could be sent anywhere inside its own network.
test('no host of a user’s URL is looked up or connected to, by any call', async () => {
  const lookup = vi.spyOn(dns, 'lookup');
  const asked = () => lookup.mock.calls.map(([hostname]) => hostname);
  try {
    let made = 0;
    const url = () => `https://host${(made += 1)}.users.example.org/`;
    const openGraph = () => ({ openGraph: { imageUrl: url() } });
    const page = () => ({ logoLink: url() });
    const bodies = [
      smartlink('App', openGraph(), Object.fromEntries(STORES.map((store) => [store, url()]))),
      urlSmartlink({}, { url: url() }, openGraph()),
      smartlink('Landing', {
        landing: page(),
        landingButtons: [{ title: 'a', link: url(), iconUrl: url() }],
      }),
      smartlink('QRTag', { qrTag: page(), qrTagButtons: [{ title: 'a', link: url() }] }),
      smartlink('DigiCard', { digiCard: { ...page(), bgLink: url() }, digiCardButtons: [] }),
      smartlink('QrMenu', { qrMenu: { ...page(), coverLink: url() } }),
      menuItem({ imageLink: url() }),
    ];
    for (const body of bodies) {
      const { status, body: answer } = await api.post('/smartlink', body);
      expect(status).toBe(201);
      const { id } = answer.data;
      await api.patch('/smartlink', { id, openGraph: { imageUrl: url() } });
      for (const wanted of ['Paused', 'Active']) await api.post('/smartlink/status', { id, status: wanted });
      for (const path of ['', '/analytics', '/qr']) await api.get(`/smartlink${path}?id=${id}`);
      await api.get(`/smartlink/qr?id=${id}&logo=true`);
      await api.delete('/smartlink', { smartlinkId: id });
    }
    expect(made).toBeGreaterThan(25);
    // What is asked for in this process is seen here. A name that needs no server of names is known at once.
    expect(asked()).not.toContain('localhost');
    const socket = connect({ host: 'localhost', port: 1 });
    await once(socket, 'error');
    expect(asked()).toContain('localhost');
    expect(asked().filter((hostname) => hostname.includes('example.org'))).toEqual([]);
  } finally {
    lookup.mockRestore();
  }
});
