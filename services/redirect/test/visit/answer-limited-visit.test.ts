import { expect, test } from 'vitest';
import { createAllowances } from '../../src/links/allowances.js';
import { createTrial, linkWith, replyOf, requestWith, TXT_BIN } from './visit-trial.js';

const NOW = 1_700_000_000_000;
const OVER = 'https://example.org/over';
const PREVIEW = 'WhatsApp/2.23';
const [BOT, PERSON] = ['Googlebot/2.1', requestWith()];
const HEAD = requestWith({ isHead: true });
const PREFETCH = requestWith({}, { secPurpose: 'prefetch' });

/** Visits to a limited link with `left` visits; `null`: the primary of Postgres is away. */
function limitedTrial(left: number | null, more: object = {}, isUnlocked = false) {
  let remaining = left;
  const statements: number[] = [];
  const db = {
    query: (_text: string, values?: readonly unknown[]) => {
      const wanted = Number(values?.[1]);
      statements.push(wanted);
      if (remaining === null) return Promise.reject(new Error('away'));
      const granted = Math.min(wanted, remaining);
      remaining -= granted;
      return Promise.resolve({ rows: [{ granted }] });
    },
  };
  const { availability = {}, ...members } = more as { availability?: object };
  const link = linkWith({ ...members, availability: { isLimited: true, ...availability } });
  const trial = createTrial(link, isUnlocked, { allowances: createAllowances({ db, now: () => NOW }) });
  const visit = async (request = PERSON) => {
    const reply = await replyOf(trial.answerVisit(request));
    return [Number.parseInt(reply.head.status, 10), reply.location?.toString() ?? null] as const;
  };
  const tallies = () => trial.events.map(({ exclusion }) => exclusion);
  return { ...trial, visit, tallies, statements };
}

test.each<[availability: object, status: number, location: string | null, tally: string]>([
  [{ startsAt: NOW + 1, expiredUrl: OVER }, 404, null, 'scheduled'],
  [{ startsAt: NOW }, 302, 'https://example.org/?a=b', ''],
  [{ expiresAt: NOW + 1 }, 302, 'https://example.org/?a=b', ''],
  [{ expiresAt: NOW }, 410, null, 'expired'],
  [{ expiresAt: NOW, expiredUrl: OVER }, 302, OVER, 'expired'],
])('with %j a visit ends in %i', async (availability, status, location, tally) => {
  const trial = createTrial(linkWith({ availability }));
  const reply = await replyOf(trial.answerVisit(requestWith({ query: 'a=b' })));
  expect([Number.parseInt(reply.head.status, 10), reply.location ?? null]).toEqual([status, location]);
  const headers = Object.fromEntries([...reply.head.headers, ...reply.headers]);
  expect(headers['Cache-Control']).toBe('private, no-store');
  expect(headers['X-Robots-Tag']).toBe('noindex');
  expect(trial.events).toMatchObject([
    { exclusion: tally, outcome: tally === '' ? 'target' : 'excluded', rule: '', variant: '' },
  ]);
});

test.each(['Paused', 'Deleted'])('%s comes before availability', async (status) => {
  const trial = createTrial(linkWith({ status, availability: { startsAt: NOW + 1 } }));
  await replyOf(trial.answerVisit(PERSON));
  expect(trial.events).toMatchObject([{ exclusion: status.toLowerCase() }]);
});

test('availability comes before previews, the password, and rules', async () => {
  const routing = { rules: [{ id: 'a', when: { countries: ['AZ'] }, url: 'https://example.org/az' }] };
  const more = { openGraph: { title: 'T' }, password: { hash: 'h', version: 1 }, routing };
  const trial = createTrial(linkWith({ ...more, availability: { startsAt: NOW + 1 } }));
  for (const request of [PERSON, requestWith({}, { userAgent: PREVIEW })]) {
    expect((await replyOf(trial.answerVisit(request))).head.status).toBe('404 Not Found');
  }
  expect(trial.events).toMatchObject([{ exclusion: 'scheduled', rule: '' }, { exclusion: 'bot' }]);
});

test('a limited link leads as many people as it may, and then is used up', async () => {
  const { visit, tallies, statements } = limitedTrial(2);
  expect([await visit(), await visit(), await visit(), await visit()]).toEqual([
    ...[[302, 'https://example.org/'] as const, [302, 'https://example.org/'] as const],
    ...[[410, null] as const, [410, null] as const],
  ]);
  expect(tallies()).toEqual(['', '', 'exhausted', 'exhausted']);
  expect(statements).toEqual([1, 1, 1]);
  const away = limitedTrial(0, { availability: { expiredUrl: OVER } });
  expect(await away.visit(requestWith({ query: 'a=b' }))).toEqual([302, OVER]);
});

test('programs never get the target of a limited link, and take nothing', async () => {
  const { answerVisit, visit, tallies, statements } = limitedTrial(1, { url: 'https://secret.example/' });
  for (const request of [
    requestWith({}, { userAgent: BOT }),
    requestWith({}, { userAgent: PREVIEW }),
    HEAD,
  ]) {
    const { head, body, location } = await replyOf(answerVisit(request));
    expect([head.status, location]).toEqual(['200 OK', undefined]);
    expect(body.toString()).toContain('og:title');
    expect(body.toString()).not.toContain('secret.example');
  }
  const { head, headers } = await replyOf(answerVisit(PREFETCH));
  expect(head.status).toBe('503 Service Unavailable');
  expect(Object.fromEntries([...head.headers, ...headers])['Cache-Control']).toBe('private, no-store');
  expect(tallies()).toEqual(['bot', 'bot', 'head', 'prefetch']);
  expect(statements).toEqual([]);
  expect(await visit()).toEqual([302, 'https://secret.example/']);
});

test.each([
  [TXT_BIN, 'a &lt;b&gt;'],
  [{ type: 'App', storeLinks: { googlePlayLink: 'https://play.example/1' } }, 'play.example'],
])('the page of a limited %j is not kept by browsers, and programs get its preview', async (type, shown) => {
  const { answerVisit, statements } = limitedTrial(1, { ...type, url: undefined });
  const preview = await replyOf(answerVisit(requestWith({}, { userAgent: BOT })));
  expect(preview.head.status).toBe('200 OK');
  expect(preview.body.toString()).not.toContain(shown);
  const page = await replyOf(answerVisit(PERSON));
  expect(page.body.toString()).toContain(shown);
  const headers = Object.fromEntries([...page.head.headers, ...page.headers]);
  expect([headers['Cache-Control'], headers['ETag']]).toEqual(['private, no-store', undefined]);
  expect((await replyOf(answerVisit(PERSON))).head.status).toBe('410 Gone');
  expect(statements).toEqual([1, 1]);
});

test('a protected link takes a visit once it is unlocked', async () => {
  const password = { hash: 'h', version: 1 };
  const locked = limitedTrial(1, { password });
  expect([await locked.visit(), locked.tallies(), locked.statements]).toEqual([[200, null], ['form'], []]);
  const unlocked = limitedTrial(1, { password }, true);
  expect([await unlocked.visit(), await unlocked.visit()]).toEqual([
    [302, 'https://example.org/'],
    [410, null],
  ]);
});

test('without the primary of Postgres a visit gets 503 with Retry-After, and nothing is recorded', async () => {
  const { answerVisit, events, faults } = limitedTrial(null);
  const { head, headers } = await replyOf(answerVisit(PERSON));
  expect(head.status).toBe('503 Service Unavailable');
  expect(Object.fromEntries([...head.headers, ...headers])).toMatchObject({ 'Retry-After': '5' });
  expect([events, faults]).toEqual([[], []]);
});
