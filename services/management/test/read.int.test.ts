import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, urlSmartlink, useService } from './start-service.js';

let ids: string[];

const { service, api } = useService();
beforeAll(async () => {
  ids = [];
  for (let i = 0; i < 12; i += 1) {
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ smartlinkName: i === 3 ? '100%_sure\\' : `Name ${i}`, smartlinkUrl: `Slug${i}x` }),
    );
    ids.unshift(String(res.body.data.id));
  }
  // Ten of one moment: only the id can tell them apart.
  await service.app.pg.query(
    `update smartlinks set created_at = '2026-01-01T00:00:00.123Z' where id = any($1)`,
    [ids.slice(2)],
  );
  await service.app.pg.query(`update smartlinks set status = 'Paused' where id = $1`, [ids[4]]);
  await api.delete('/smartlink', { smartlinkId: ids[7] });
});

const isActive = (_id: string, i: number) => i !== 4 && i !== 7;

async function list(query = ''): Promise<string[]> {
  const res = await api.get(`/smartlink${query}`);
  expect(res.status).toBe(200);
  return (res.body.data as { id: string }[]).map(({ id }) => id);
}

describe('the list', () => {
  test('without parameters is every Active link, newest first, in one array', async () => {
    const res = await api.get('/smartlink');
    expect(res.body).toMatchObject({ success: true, message: expect.any(String) as string });
    expect(res.headers).not.toHaveProperty('link');
    expect(res.headers).not.toHaveProperty('x-next-cursor');
    expect((res.body.data as { id: string }[]).map(({ id }) => id)).toEqual(ids.filter(isActive));
  });

  test('by status, type and text', async () => {
    expect(await list('?status=Active')).toEqual(ids.filter(isActive));
    expect(await list('?status=Paused')).toEqual([ids[4]]);
    expect(await list('?status=Deleted')).toEqual([ids[7]]);
    expect(await list('?status=all')).toEqual(ids);
    expect(await list('?type=Url&status=all')).toEqual(ids);
    expect(await list('?type=App')).toEqual([]);
    expect(await list('?q=NAME%2011')).toEqual([ids[0]]);
    expect(await list('?q=slug10X')).toEqual([ids[1]]);
    // No wildcards: they stand for themselves.
    expect(await list('?q=%25_sure%5C')).toEqual([ids[8]]);
    expect(await list('?q=%25%25')).toEqual([]);
    expect(await list("?q=' or 1=1 --".replaceAll(' ', '%20'))).toEqual([]);
  });

  test.each([1, 3, 5, 100])(
    'in pages of %i is whole, without repeats, and keeps its filter',
    async (limit) => {
      const seen: string[] = [];
      let path: string | null = `/smartlink?status=all&limit=${limit}&type=Url`;
      for (let pages = 0; path !== null; pages += 1) {
        expect(pages).toBeLessThan(20);
        const res: Awaited<ReturnType<typeof api.get>> = await api.get(path);
        const page = res.body.data as { id: string }[];
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page.map(({ id }) => id));
        const link = String(res.headers.link ?? '');
        const next = /^<\/api\/v1(\/smartlink\?[^>]+)>; rel="next"$/.exec(link)?.[1] ?? null;
        expect(next === null).toBe(res.headers['x-next-cursor'] === undefined);
        if (next !== null) {
          const parameters = new URL(next, 'http://x').searchParams;
          expect(parameters.get('cursor')).toBe(res.headers['x-next-cursor']);
          expect(parameters.get('status')).toBe('all');
        }
        path = next;
      }
      expect(seen).toEqual(ids);
    },
  );

  const base64url = (text: string) => Buffer.from(text).toString('base64url');
  const at = (time: string) => base64url(`${time}.${crypto.randomUUID()}`);
  test.each([
    ['limit', ['0', '101', '-1', '1.5', '1e1', 'x', '', '%2B5', '05', '1&limit=2']],
    ['status', ['active', '', 'Active&status=Paused']],
    ['type', ['url', '', 'Url&type=Url']],
    ['q', ['', 'a&q=b', '%00', 'q'.repeat(129)]],
    ['cursor', ['', 'x', '%00', 'a&cursor=b', at('9'.repeat(16)), at('-1'), base64url('1.no-id')]],
  ])('a bad %s is 400 at its name', async (name, values) => {
    for (const value of values) {
      const res = await api.get(`/smartlink?${name}=${value}`);
      expect([value, res.status, faultsOf(res)]).toEqual([value, 400, [name]]);
    }
  });

  test('array notation is 400, unknown parameters are ignored, faults are reported together', async () => {
    expect((await api.get('/smartlink?limit[]=1&status[x]=all')).body.error.details).toHaveLength(2);
    expect(await list('?unknown=1&Limit=x')).toEqual(ids.filter(isActive));
    expect((await api.get('/smartlink?limit=x&status=y&type=z&q=')).body.error.details).toHaveLength(4);
    // A far year is a cursor all the same.
    expect((await api.get(`/smartlink?cursor=${at('9'.repeat(15))}`)).status).toBe(200);
  });
});

describe('a fetch', () => {
  test('shows a link in any status, with its ETag and its own address', async () => {
    for (const [i, status] of [
      [0, 'Active'],
      [4, 'Paused'],
      [7, 'Deleted'],
    ] as const) {
      const res = await api.get(`/smartlink?id=${ids[i]}`);
      expect(res.status).toBe(200);
      expect(res.headers.etag).toMatch(/^"\d+"$/);
      expect(res.body.data).toMatchObject({
        id: ids[i],
        status,
        relink: `https://sl.example.com/Slug${11 - i}x`,
      });
    }
  });

  test('has no 304', async () => {
    const { headers } = await api.get(`/smartlink?id=${ids[0]}`);
    expect((await api.get(`/smartlink?id=${ids[0]}`, { 'if-none-match': headers.etag })).status).toBe(200);
  });

  test.each(['id=', 'id', 'id=a&id=b', 'id[]=a', 'id[0]=a', 'id[x]=a', 'id%5B%5D=a', 'id=&limit=5'])(
    'with ?%s is 400 at id, never the list',
    async (query) => {
      const res = await api.get(`/smartlink?${query}`);
      expect(res.status).toBe(400);
      expect(res.body.error.details).toEqual([{ path: 'id', message: expect.any(String) as string }]);
    },
  );
});
