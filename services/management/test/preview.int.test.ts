import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createScriptedProvider } from './recheck-fixtures.js';
import { menu, smartlink } from './smartlink-bodies.js';
import {
  caller,
  type Caller,
  createPerson,
  createSmartlink,
  signIn,
  urlSmartlink,
  useService,
} from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

const BAD = 'https://bad.example.org/';
const provider = createScriptedProvider();
const { service, user, api } = useService({ urlSafety: provider, takesNewMembers: true });

let editor: Caller;
beforeAll(async () => {
  const person = await createPerson(service.app, { roles: { [user.userId]: 'Editor' } });
  editor = (await signIn(service.app, person, user.userId)).api;
});
beforeEach(() => {
  provider.reset();
});

type Fault = { readonly path: string; readonly message: string };

const preview = async (body: object, by = editor) => {
  const res = await by.post('/smartlink/preview', body);
  expect([res.status, res.body.error]).toEqual([200, undefined]);
  return res.body.data.faults as Fault[];
};
/** The faults of a refusal, as they are in a preview. */
const refusalOf = (res: Awaited<ReturnType<Caller['post']>>): Fault[] => {
  const { error } = res.body as { error: { message: string; details?: Fault[] } };
  return error.details ?? [{ path: '', message: error.message }];
};

test('a preview has the faults of the create or PATCH, and writes nothing', async () => {
  provider.unsafe.add(BAD);
  const { apiKey } = await service.createUser();
  const foreign = await createSmartlink(caller(service.app, apiKey));
  const own = await createSmartlink(api);
  const renamed = await createSmartlink(api, urlSmartlink({}, {}, { externalId: 'mine' }));
  const drafts = [
    {},
    urlSmartlink({ smartlinkUrl: 'dashboard' }, { url: 'nonsense' }, { utm: { source: '' } }),
    urlSmartlink({ smartlinkUrl: foreign.slug }),
    urlSmartlink({ smartlinkUrl: own.slug.toUpperCase() }),
    urlSmartlink({}, { url: BAD }),
    urlSmartlink({}, {}, { folderId: own.id }),
    urlSmartlink({}, {}, { externalId: 'mine' }),
    menu({ categories: [{ name: 'Hot', items: [{ name: 'Tea', price: -1 }] }] }),
  ];
  const patches = [
    { configuration: { smartlinkUrl: null } },
    { configuration: { smartlinkUrl: foreign.slug } },
    { configuration: { smartlinkUrl: renamed.slug } },
    { shortener: { url: BAD } },
    { shortener: { protected: true } },
    { configuration: { smartlinkType: 'QrMenu' } },
    { externalId: 'mine' },
    { addTags: ['a'], tags: ['b'] },
  ];
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  const found = [];
  for (const draft of drafts) found.push(await preview({ draft }));
  for (const patch of patches) found.push(await preview({ id: own.id, patch }));
  expect(await storedRows(service.app)).toBe(before);
  const expected = [];
  for (const draft of drafts) expected.push(refusalOf(await api.post('/smartlink', draft)));
  for (const patch of patches)
    expected.push(refusalOf(await api.patch('/smartlink', { ...patch, id: own.id })));
  expect(found).toEqual(expected);
  expect(found.every((faults) => faults.length > 0)).toBe(true);
  for (const draft of [smartlink('TxtBin', { txtBin: { text: 'a' } }), urlSmartlink()]) {
    expect(await preview({ draft, view: 'share', language: 'az' })).toEqual([]);
  }
  expect(await preview({ id: own.id, patch: { configuration: { smartlinkUrl: own.slug } } })).toEqual([]);
});

test('a taken address is found beside other faults, and a full plan too', async () => {
  const { slug } = await createSmartlink(api);
  const draft = urlSmartlink({ smartlinkUrl: slug, smartlinkName: '' });
  expect((await preview({ draft })).map(({ path }) => path)).toEqual([
    'configuration.smartlinkName',
    'configuration.smartlinkUrl',
  ]);
  const { userId, apiKey } = await service.createUser('Starter');
  const person = await createPerson(service.app, { roles: { [userId]: 'Owner' } });
  const owner = (await signIn(service.app, person, userId)).api;
  for (let i = 0; i < 3; i += 1) await createSmartlink(caller(service.app, apiKey));
  expect(await preview({ draft: urlSmartlink() }, owner)).toEqual([
    { path: '', message: 'Subscription limit reached' },
  ]);
});

test('each URL is judged once while it stays in the form', async () => {
  provider.unsafe.add(`${BAD}once`);
  const draft = (url: string, title: string) => ({
    draft: urlSmartlink({}, { url }, { openGraph: { title } }),
  });
  const unsafe = [{ path: 'shortener.url', message: 'URL was judged unsafe' }];
  expect(await preview(draft(`${BAD}once`, 'a'))).toEqual(unsafe);
  expect(await preview(draft(`${BAD}once`, 'ab'))).toEqual(unsafe);
  expect(await preview(draft('https://good.example.org/once', 'a'))).toEqual([]);
  expect(await preview(draft('https://good.example.org/once', 'ab'))).toEqual([]);
  expect(provider.questions).toEqual([[`${BAD}once`], ['https://good.example.org/once']]);
});

test('a preview is for signed-in Editors and their own smartlinks', async () => {
  const draft = urlSmartlink();
  const byKey = await api.post('/smartlink/preview', { draft });
  expect([byKey.status, refusalOf(byKey)]).toEqual([
    403,
    [{ path: '', message: 'Needs a signed-in person' }],
  ]);
  const viewer = await createPerson(service.app, { roles: { [user.userId]: 'Viewer' } });
  const byViewer = await (
    await signIn(service.app, viewer, user.userId)
  ).api.post('/smartlink/preview', { draft });
  expect([byViewer.status, refusalOf(byViewer)]).toEqual([
    403,
    [{ path: '', message: 'Needs the role Editor' }],
  ]);
  const { apiKey } = await service.createUser();
  const foreign = await createSmartlink(caller(service.app, apiKey));
  const answers = [];
  for (const id of [foreign.id, 'unknown']) {
    const { status, body } = await editor.post('/smartlink/preview', { id, patch: {} });
    answers.push([status, body.error]);
  }
  expect(answers[0]).toEqual([404, { code: 'NOT_FOUND', message: 'Smartlink not found' }]);
  expect(answers[1]).toEqual(answers[0]);
  for (const body of [{}, { draft, patch: {} }, { id: foreign.id }, { patch: {} }, { draft: 5, view: 'x' }]) {
    expect((await editor.post('/smartlink/preview', body)).status).toBe(400);
  }
});
