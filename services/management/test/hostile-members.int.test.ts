import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fullDocument, TYPES } from './schema-documents.js';
import { useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

// Members that no client may set, at every depth of every body.

const { service, user, api } = useService();

const FORBIDDEN = {
  ...{ userId: randomUUID(), user_id: randomUUID(), version: 999_999_999, password_version: 9 },
  ...{ createdAt: '2000-01-01T00:00:00.000Z', deletedAt: '2000-01-01T00:00:00.000Z' },
  password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
  analytics: { totalClicks: 9, totalQrCodeScans: 9, totalFallBack: 9 },
  content: { Url: { shortener: { url: 'https://elsewhere.example/' } } },
  ...{ relink: 'https://elsewhere.example/', type: 'Planted', slug: 'planted' },
  ...{ prototype: { isAdmin: true }, toString: 'planted', then: 'planted', toJSON: 'planted', length: 9 },
};
/** At the top of a PATCH and of a status body these two mean something. */
const WITH_IDS = { id: 'planted', status: 'Deleted', ...FORBIDDEN };

/** A copy with the forbidden members in every object. */
function plant(value: unknown, members: object, isTop = true): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => plant(element, WITH_IDS, false));
  const own = Object.entries(value).map(([key, member]) => [key, plant(member, WITH_IDS, false)]);
  return { ...(isTop ? members : WITH_IDS), ...(Object.fromEntries(own) as object) };
}

/** What must be the same of two smartlinks made of the same document. */
const comparable = (data: Record<string, unknown>) => {
  const { id: _id, relink: _relink, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = data;
  const { smartlinkUrl: _slug, ...configuration } = rest['configuration'] as Record<string, unknown>;
  return { ...rest, configuration };
};

async function rowOf(id: unknown) {
  const { rows } = await service.app.pg.query('select * from smartlinks where id = $1', [id]);
  return rows[0] as Record<string, unknown>;
}

describe.each(TYPES)('%s', (type) => {
  test('on create they are dropped: the smartlink is as the one without them', async () => {
    const clean = await api.post('/smartlink', fullDocument(type));
    expect([clean.status, clean.body.error]).toEqual([201, undefined]);
    const res = await api.post('/smartlink', plant(fullDocument(type), WITH_IDS));
    expect([res.status, res.body.error]).toEqual([201, undefined]);
    expect(comparable(res.body.data as Record<string, unknown>)).toEqual(
      comparable(clean.body.data as Record<string, unknown>),
    );
    expect(res.body.data).toMatchObject({ userId: user.userId, status: 'Active', type });
    expect(res.body.data.createdAt > '2020').toBe(true);
    const [row, cleanRow] = [await rowOf(res.body.data.id), await rowOf(clean.body.data.id)];
    expect(row['content']).toEqual(cleanRow['content']);
    expect([row['open_graph'], row['password_version']]).toEqual([
      cleanRow['open_graph'],
      cleanRow['password_version'],
    ]);
    expect(JSON.stringify(row)).not.toMatch(/planted|elsewhere/i);
  });

  test('on PATCH and status they change nothing, not even the version', async () => {
    const { id } = (await api.post('/smartlink', fullDocument(type))).body.data as { id: string };
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    // A password would be a change; all other members are those that are stored.
    const document = fullDocument(type) as { shortener?: { password?: string } };
    delete document.shortener?.password;
    const planted = plant(document, FORBIDDEN) as object;
    const patched = await api.patch('/smartlink', { ...planted, id, status: 'Deleted' });
    expect([patched.status, patched.body.error]).toEqual([200, undefined]);
    expect((await api.patch('/smartlink', { ...FORBIDDEN, id, status: 'Paused' })).status).toBe(200);
    expect((await api.post('/smartlink/status', { ...FORBIDDEN, id, status: 'Active' })).status).toBe(200);
    expect(await storedRows(service.app)).toBe(before);
  });
});

test('a pause with all of them beside it changes the status, the version and the time', async () => {
  const { id } = (await api.post('/smartlink', fullDocument('Url'))).body.data as { id: string };
  const before = await rowOf(id);
  await api.post('/smartlink/status', { ...FORBIDDEN, id, status: 'Paused' });
  const after = await rowOf(id);
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  expect(changed.sort()).toEqual(['status', 'updated_at', 'version']);
  // No prototype was changed on the way.
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});
