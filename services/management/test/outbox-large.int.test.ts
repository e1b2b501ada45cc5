import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { caller, redisOf, urlSmartlink, useService } from './start-service.js';
import { count } from './stored-state.js';

const MENUS = trialSize(4, 10);
const ADDRESSES = 21;
const DRAIN_DEADLINE_MS = 120_000;

const { service } = useService();

/** A menu whose JSON is about a megabyte: of one description over and over, or of ones that cannot be compressed. */
function largeMenu(isRandom: boolean): object {
  const item = () => ({
    name: 'Tea',
    price: 2,
    active: true,
    description: isRandom ? randomBytes(300).toString('base64') : 'x'.repeat(400),
  });
  const categories = Array.from({ length: 20 }, () => ({
    name: 'Hot',
    items: Array.from({ length: 110 }, item),
  }));
  return { QrMenu: { qrMenu: { currency: '₼', categories } } };
}

/** Stores a menu as management does, with its changes in the outbox and nothing published. */
async function storeMenu(userId: string, place: number): Promise<string[]> {
  const { pg } = service.app;
  const id = randomUUID();
  const slugs = Array.from({ length: ADDRESSES }, (_, i) => `menu${place}x${i}`);
  await pg.query(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
     values ($1, $2, 'Active', 'QrMenu', 'Menu', $3, $4, nextval('smartlink_version'))`,
    [id, userId, slugs[0], largeMenu(place % 2 === 0)],
  );
  await pg.query(
    `insert into slugs (key, slug, user_id, smartlink_id, is_primary)
     select slug, slug, $2, $3, slug = $4 from unnest($1::text[]) as slug`,
    [slugs, userId, id, slugs[0]],
  );
  return slugs;
}

/** Puts changes of these slugs into the outbox, as a process leaves them that died before it published. */
const leaveInOutbox = (slugs: readonly string[]) =>
  service.app.pg.query(
    `insert into publish_outbox (slug_key, version, created_at)
     select slug_key, 1, now() - interval '1 minute' from unnest($1::text[]) as slug_key`,
    [slugs],
  );

const depth = () => count(service.app, 'publish_outbox');
const publishedBytes = (slug: string) =>
  redisOf(service.app).strlen(`${service.databases.redisKeyPrefix}link:${slug}`);

test(
  'menus of a megabyte under 21 addresses each are published, and so is a small link of another tenant',
  async () => {
    const large = await service.createUser();
    const small = caller(service.app, (await service.createUser()).apiKey);
    const slugs: string[] = [];
    for (let place = 0; place < MENUS; place += 1) slugs.push(...(await storeMenu(large.userId, place)));
    // The small link's row is the last; its request has died before it could publish.
    const created = await small.post('/smartlink', urlSmartlink({ smartlinkUrl: 'small' }));
    expect(created.status).toBe(201);
    await redisOf(service.app).del(`${service.databases.redisKeyPrefix}link:small`);
    await leaveInOutbox([...slugs, 'small']);
    // The change of a request is published by that request, within its budget.
    const changed = await small.post('/smartlink', urlSmartlink({ smartlinkUrl: 'meanwhile' }));
    expect(changed.status).toBe(201);
    await until(async () => (await publishedBytes('meanwhile')) > 0, 'the link of a request is published');
    await until(async () => (await depth()) === 0, 'the outbox is empty', DRAIN_DEADLINE_MS);
    for (const slug of slugs) expect(await publishedBytes(slug)).toBeGreaterThan(900_000);
    expect(await publishedBytes('small')).toBeGreaterThan(0);
    // A chunk that Redis takes too long over is tried again by halves; nothing else may go wrong.
    const failures = service.logLines.filter((line) => line.includes('the outbox relay could not publish'));
    expect(failures.filter((line) => !line.includes('Command timed out'))).toEqual([]);
  },
  DRAIN_DEADLINE_MS + 30_000,
);

test('a smartlink that cannot be published holds up nothing behind it, and is tried again', async () => {
  const redis = redisOf(service.app);
  const { userId } = await service.createUser();
  const [stuck = ''] = await storeMenu(userId, MENUS);
  const key = `${service.databases.redisKeyPrefix}link:${stuck}`;
  // Redis refuses to read a list as a snapshot.
  await redis.lpush(key, 'x');
  await leaveInOutbox([stuck]);
  const behind = (await storeMenu(userId, MENUS + 1)).slice(0, 3);
  await leaveInOutbox(behind);
  await until(async () => (await depth()) === 1, 'all but one are published');
  for (const slug of behind) expect(await publishedBytes(slug)).toBeGreaterThan(900_000);
  await redis.del(key);
  await until(async () => (await depth()) === 0, 'the last one is published');
  expect(await publishedBytes(stuck)).toBeGreaterThan(900_000);
});
