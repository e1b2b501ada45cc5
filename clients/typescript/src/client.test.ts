import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createSmartlinkClient,
  type ErrorCode,
  type Fault,
  isSmartlinkError,
  type Page,
  type Smartlink,
  type SmartlinkChanges,
  type SmartlinkCreate,
  type SmartlinkError,
  type SmartlinkOf,
  type VersionedAnswer,
} from './client.js';
import type { operations } from './generated/api.js';
import { type ERRORS, OPERATIONS } from './generated/operations.js';
import { type SESSION_ERRORS, SESSION_OPERATIONS } from './session-operations.js';

type Client = ReturnType<typeof createSmartlinkClient>;

/** A client with these answers, and its requests. */
function clientAnswering(data: (url: URL) => { data: unknown; headers?: Record<string, string> }) {
  const requests: { method: string; url: URL; body: unknown }[] = [];
  const client = createSmartlinkClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'slk_live_key',
    fetch: (address, init) => {
      const url = new URL(address);
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
      requests.push({ method: init?.method ?? 'GET', url, body });
      const { data: answered, headers = {} } = data(url);
      return Promise.resolve(
        Response.json({ success: true, message: '', data: answered, timestamp: '' }, { headers }),
      );
    },
  });
  return { client, requests };
}

describe('iterating over the list', () => {
  /** Five smartlinks in pages of `limit`. */
  const fivePaged = () =>
    clientAnswering((url) => {
      const from = Number(url.searchParams.get('cursor') ?? '0');
      const to = Math.min(5, from + Number(url.searchParams.get('limit')));
      const data = Array.from({ length: to - from }, (_none, i) => ({ id: String(from + i) }));
      return { data, headers: to < 5 ? { 'x-next-cursor': String(to) } : {} };
    });

  test('follows the cursor to the end, with the filter on every page', async () => {
    const { client, requests } = fivePaged();
    const ids: string[] = [];
    for await (const { id } of client.smartlinks.listAll({
      status: 'all',
      type: 'Url',
      q: 'x',
      pageSize: 2,
    })) {
      ids.push(id);
    }
    expect(ids).toEqual(['0', '1', '2', '3', '4']);
    expect(requests.map(({ url }) => url.search)).toEqual([
      '?status=all&type=Url&q=x&limit=2',
      '?status=all&type=Url&q=x&cursor=2&limit=2',
      '?status=all&type=Url&q=x&cursor=4&limit=2',
    ]);
  });

  test('requests no page before it is needed', async () => {
    const { client, requests } = fivePaged();
    for await (const { id } of client.smartlinks.listAll({ pageSize: 2 })) if (id === '2') break;
    expect(requests).toHaveLength(2);
    client.smartlinks.listAll();
    expect(requests).toHaveLength(2);
  });

  test('has 100 items per page, and iterates over pages too', async () => {
    const { client, requests } = fivePaged();
    const sizes: number[] = [];
    for await (const page of client.smartlinks.pages()) sizes.push(page.data.length);
    expect(sizes).toEqual([5]);
    expect(requests[0]?.url.search).toBe('?limit=100');
  });
});

describe('iterating over a malformed list', () => {
  // Each page leads to the next, from 3 on in a circle of `length`.
  test.each([1, 2, 3, 7])('fails if the cursors form a circle of %i', async (length) => {
    const { client, requests } = clientAnswering((url) => {
      const at = Number(url.searchParams.get('cursor') ?? '0');
      return { data: [], headers: { 'x-next-cursor': String(at < 2 + length ? at + 1 : 3) } };
    });
    for (const [operation, pages] of [
      ['readSmartlinks', client.smartlinks.listAll()],
      ['listWebhookDeliveries', client.webhooks.allDeliveries('x')],
    ] as const) {
      requests.length = 0;
      const err = await pages.next().catch((reason: unknown) => reason);
      expect(err).toMatchObject({ kind: 'answer', fault: 'repeatedCursor', operation, status: 200 });
      expect(requests.length).toBeLessThan(30);
    }
  });

  test.each([{}, null, 'text', 7])('fails on an answer that the API cannot give: %j', async (data) => {
    const { client } = clientAnswering(() => ({ data }));
    for (const [operation, call] of [
      ['readSmartlinks', client.smartlinks.listAll().next()],
      ['readSmartlinks', client.smartlinks.list()],
      ['bulkSmartlinks', client.smartlinks.bulk([])],
      ['listWebhooks', client.webhooks.list()],
      ['listWebhookDeliveries', client.webhooks.allDeliveries('x').next()],
    ] as const) {
      const err = await call.catch((reason: unknown) => reason);
      expect(isSmartlinkError(err)).toBe(true);
      expect(err).toMatchObject({ kind: 'answer', fault: 'notList', operation, status: 200 });
    }
  });
});

test('an error prints as SmartlinkError with its message', async () => {
  const { client } = clientAnswering(() => ({ data: null }));
  const err = await client.smartlinks.list().catch((reason: unknown) => reason);
  expect(inspect(err)).toMatch(/^SmartlinkError: readSmartlinks: /);
  expect(inspect(err)).not.toContain('[SmartlinkError]');
  expect(Object.keys(err as Error)).not.toContain('name');
  expect(String(err)).toMatch(/^SmartlinkError: readSmartlinks: /);
});

test('every operation of the document has a method that calls it', async () => {
  const { client, requests } = clientAnswering(() => ({ data: [] }));
  const calls: Record<string, (() => Promise<unknown>) | undefined> = {
    validateKey: () => client.validate(),
    createSmartlink: () => client.smartlinks.create(URL_BODY),
    readSmartlinks: () => client.smartlinks.list(),
    updateSmartlink: () => client.smartlinks.update('x', {}),
    deleteSmartlink: () => client.smartlinks.remove('x'),
    setSmartlinkStatus: () => client.smartlinks.setStatus('x', 'Active'),
    readAnalytics: () => client.analytics.get('x'),
    readAccountAnalytics: () => client.analytics.ofAccount(),
    readBreakdown: () => client.analytics.breakdown('country'),
    readRealtime: () => client.analytics.realtime(),
    readSummary: () => client.analytics.summary(),
    drawQrCode: () => client.qr.svg('x').catch(() => null),
    resolveVisit: () => client.resolve('x'),
    readReference: () => client.reference(),
    bulkSmartlinks: () => client.smartlinks.bulk([]),
    listTags: () => client.tags.list(),
    createTag: () => client.tags.create({ name: 'x' }),
    updateTag: () => client.tags.update('x', { color: null }),
    deleteTag: () => client.tags.remove('x'),
    mergeTags: () => client.tags.merge('x', 'y'),
    listFolders: () => client.folders.list(),
    createFolder: () => client.folders.create({ name: 'x' }),
    updateFolder: () => client.folders.update('x', { description: null }),
    deleteFolder: () => client.folders.remove('x'),
    createImport: () => client.imports.upload(new Blob(['url\nhttps://example.org/'])),
    startImport: () => client.imports.start('x'),
    readImports: () => client.imports.list(),
    readImportReport: () => client.imports.report('x').catch(() => null),
    exportSmartlinks: () => client.imports.exportCsv().catch(() => null),
    listMedia: () => client.media.list(),
    uploadMedia: () => client.media.upload(new Blob(['x'], { type: 'image/png' })),
    deleteMedia: () => client.media.remove('x'),
    readAccount: () => client.account.get(),
    updateAccount: () => client.account.rename('x'),
    listMembers: () => client.account.members(),
    createInvitation: () => client.account.invite('x@example.org', 'Viewer'),
    updateMember: () => client.account.setRole('x', 'Editor'),
    removeMember: () => client.account.removeMember('x'),
    listChanges: () => client.account.changes(),
    listKeys: () => client.keys.list(),
    createKey: () => client.keys.create({ name: 'x' }),
    updateKey: () => client.keys.update('x', { name: 'y' }),
    revokeKey: () => client.keys.revoke('x'),
    rotateKey: () => client.keys.rotate('x'),
    readCurrentKey: () => client.keys.current(),
    listPeople: () => client.admin.people(),
    createPerson: () => client.admin.createPerson({ email: 'x@example.org' }),
    updatePerson: () => client.admin.updatePerson('x', { isDisabled: true }),
    listAccounts: () => client.admin.accounts(),
    createAccount: () => client.admin.createAccount({ email: 'x@example.org' }),
    updateOperatedAccount: () => client.admin.updateAccount('x', { plan: 'Starter' }),
    listPlans: () => client.admin.plans(),
    updatePlan: () => client.admin.updatePlan('Starter', { smartlinks: null }),
    readHealth: () => client.admin.health(),
    listUnsafeSmartlinks: () => client.admin.unsafe(),
    recheckSmartlink: () => client.admin.recheck('x'),
    previewSmartlink: () => client.smartlinks.preview({ draft: URL_BODY }),
    listUtmTemplates: () => client.utmTemplates.list(),
    createUtmTemplate: () => client.utmTemplates.create({ name: 'x', utm: { source: 'x' } }),
    updateUtmTemplate: () => client.utmTemplates.update('x', { utm: { source: 'y' } }),
    deleteUtmTemplate: () => client.utmTemplates.remove('x'),
    listDomains: () => client.domains.list(),
    createDomain: () => client.domains.create({ host: 'go.example.org' }),
    updateDomain: () => client.domains.update('x', { rootUrl: null }),
    deleteDomain: () => client.domains.remove('x'),
    verifyDomain: () => client.domains.verify('x'),
    listWebhooks: () => client.webhooks.list(),
    createWebhook: () =>
      client.webhooks.create({ url: 'https://example.org/', eventTypes: ['smartlink.created'] }),
    updateWebhook: () => client.webhooks.update('x', { isEnabled: false }),
    deleteWebhook: () => client.webhooks.remove('x'),
    rotateWebhookSecret: () => client.webhooks.rotateSecret('x'),
    testWebhook: () => client.webhooks.test('x'),
    listWebhookDeliveries: () => client.webhooks.deliveries('x'),
    redeliverWebhook: () => client.webhooks.redeliver('x'),
  };
  for (const [id, { method, path }] of Object.entries(OPERATIONS)) {
    await calls[id]?.();
    const last = requests.pop();
    expect([id, last?.method, last?.url.pathname]).toEqual([id, method, path]);
  }
});

test('the calls of sign-in have the paths of the service', async () => {
  const { client, requests } = clientAnswering(() => ({ data: null }));
  const { session } = client;
  const calls: Record<keyof typeof SESSION_OPERATIONS, () => Promise<unknown>> = {
    readSession: () => session.get(),
    signIn: () => session.signIn('ann@example.com', 'password'),
    updateSession: () => session.useAccount('x'),
    signOut: () => session.signOut(),
    listSessions: () => session.list(),
    endSessions: () => session.endOthers(),
    checkLink: () => session.checkLink('x'),
    redeemLink: () => session.redeemLink('x', undefined),
    confirm: () => session.confirm('password'),
    changePassword: () => session.changePassword('password', 'another'),
    readSetup: () => session.setup(),
  };
  for (const [id, { method, path }] of Object.entries(SESSION_OPERATIONS)) {
    await calls[id as keyof typeof calls]();
    const last = requests.pop();
    expect([id, last?.method, last?.url.pathname]).toEqual([id, method, path]);
  }
});

test('only errors of this client are recognised as such', () => {
  for (const other of [null, undefined, 'x', new Error('x'), { kind: 'api' }, new TypeError('x')]) {
    expect(isSmartlinkError(other)).toBe(false);
  }
});

const URL_BODY = {
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/' },
} as const;

// Checked by the compiler.
describe('types', () => {
  const client = null as unknown as Client;
  const unchecked = (_typed: () => unknown): void => undefined;

  test('a create returns a smartlink of its type', () => {
    unchecked(async () => {
      const { data, etag } = await client.smartlinks.create(URL_BODY);
      expectTypeOf(data).toEqualTypeOf<SmartlinkOf<'Url'>>();
      expectTypeOf(data.shortener.url).toEqualTypeOf<string>();
      expectTypeOf(etag).toEqualTypeOf<string>();
      const any = null as unknown as SmartlinkCreate;
      expectTypeOf(await client.smartlinks.create(any)).toEqualTypeOf<VersionedAnswer<Smartlink>>();
    });
  });

  test('a body must have the members of its type and no others', () => {
    const configuration = { smartlinkName: 'x', smartlinkType: 'Url' } as const;
    const url = 'https://example.org/';
    unchecked(() => [
      // @ts-expect-error: a Url smartlink needs its shortener
      client.smartlinks.create({ configuration }),
      // @ts-expect-error: shortener.url is a string
      client.smartlinks.create({ configuration, shortener: { url: 1 } }),
      // @ts-expect-error: a landing is of another type
      client.smartlinks.create({ configuration, shortener: { url }, landing: {} }),
      // @ts-expect-error: misspelt
      client.smartlinks.create({ configuration, shortener: { url, protect: true } }),
      // @ts-expect-error: there is no such type
      client.smartlinks.create({ configuration: { smartlinkName: 'x', smartlinkType: 'Page' } }),
      client.smartlinks.create({
        // @ts-expect-error: an App has stores, a Url has none
        configuration: { ...configuration, appStoreLink: url },
        shortener: { url },
      }),
      client.smartlinks.create({ configuration, shortener: { url, protected: true, password: 'secret' } }),
      client.smartlinks.create({
        configuration: { smartlinkName: 'Menu', smartlinkType: 'QrMenu' },
        qrMenu: { categories: [{ name: 'Soups', items: [{ name: 'Lentil', price: 4 }] }] },
      }),
    ]);
  });

  test('an update takes members of every type and null, but no misspelt ones', () => {
    expectTypeOf<{ landing: { themeColor: null } }>().toExtend<SmartlinkChanges>();
    unchecked(() => [
      // @ts-expect-error: misspelt
      client.smartlinks.update('x', { landingButton: [] }),
      // @ts-expect-error: a name cannot be cleared
      client.smartlinks.update('x', { configuration: { smartlinkName: null } }),
      // @ts-expect-error: Deleted is what remove is for
      client.smartlinks.setStatus('x', 'Deleted'),
      // @ts-expect-error: there is no such status
      client.smartlinks.list({ status: 'Gone' }),
    ]);
  });

  test('a bulk call takes the bodies of single calls; success discriminates its results', () => {
    unchecked(async () => {
      // @ts-expect-error: a Url smartlink needs its shortener
      await client.smartlinks.bulk([{ create: { configuration: URL_BODY.configuration } }]);
      // @ts-expect-error: misspelt
      await client.smartlinks.bulk([{ patch: { id: 'x', landingButton: [] } }]);
      const { data } = await client.smartlinks.bulk([{ create: URL_BODY }, { delete: { smartlinkId: 'x' } }]);
      for (const result of data) {
        if (result.success) expectTypeOf(result.data).toEqualTypeOf<Smartlink | null>();
        else expectTypeOf(result.error.code).toExtend<ErrorCode>();
      }
    });
  });

  test('type discriminates smartlinks', () => {
    unchecked((smartlink = null as unknown as Smartlink) => {
      // @ts-expect-error: not every smartlink is a text
      expect(smartlink.txtBin);
      if (smartlink.type === 'TxtBin') expectTypeOf(smartlink.txtBin.text).toEqualTypeOf<string>();
    });
    expectTypeOf<Page<Smartlink>['data'][number]>().toEqualTypeOf<Smartlink>();
  });

  test('kind discriminates errors, and code those of the API', () => {
    unchecked((err = null as unknown) => {
      if (!isSmartlinkError(err)) return;
      expectTypeOf(err).toEqualTypeOf<SmartlinkError>();
      if (err.kind === 'network') {
        // @ts-expect-error: there was no answer
        expect(err.status);
      }
      if (err.kind !== 'api') return;
      expectTypeOf(err.code).toEqualTypeOf<ErrorCode>();
      if (err.code === 'VALIDATION_FAILED') expectTypeOf(err.details).toEqualTypeOf<readonly Fault[]>();
      if (err.code === 'NOT_FOUND') expectTypeOf(err.details).toEqualTypeOf<undefined>();
      // @ts-expect-error: there is no such code
      if (err.code === 'TEAPOT') return;
    });
  });

  test('constants and types name the same operations and errors', () => {
    expectTypeOf<keyof typeof OPERATIONS>().toEqualTypeOf<keyof operations>();
    expectTypeOf<keyof typeof ERRORS | keyof typeof SESSION_ERRORS>().toEqualTypeOf<ErrorCode>();
  });
});
