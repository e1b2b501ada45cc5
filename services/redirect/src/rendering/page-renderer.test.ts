import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OWN_PAGE, qrFile, type RenderedFile, type RenderJob } from './file-kinds.js';
import {
  createPageRenderer,
  createWaitingLine,
  JOB_DEADLINE_MS,
  LINE_LENGTH_MAX,
  type RenderThreadEvents,
  SLOW_SOURCE_LENGTH,
  WAIT_MAX_MS,
} from './page-renderer.js';

// What the renderer does with its thread, by threads that do what the test says.

const FILE: RenderedFile = {
  contentType: 'text/plain',
  body: { identity: Buffer.from('made') },
  hash: 'hash',
  page: null,
  disposition: '',
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function createTrial(failsToStart = 0) {
  const threads: { events: RenderThreadEvents; jobs: RenderJob[]; isTerminated: boolean }[] = [];
  const clock = { time: 0 };
  let starts = 0;
  const renderer = createPageRenderer({
    startThread(events) {
      starts += 1;
      if (starts <= failsToStart) throw new Error('no more threads');
      const thread = { events, jobs: [] as RenderJob[], isTerminated: false };
      threads.push(thread);
      return {
        post: (job) => {
          if (job.slug === 'unclonable') throw new Error('cannot be cloned');
          thread.jobs.push(job);
        },
        terminate: () => {
          thread.isTerminated = true;
          return Promise.resolve(1);
        },
      };
    },
    now: () => clock.time,
    log: pino({ level: 'silent' }),
  });
  const render = (slug: string) => {
    const made = renderer.render(quick(slug));
    // Of those that a test does not look at nothing is to be heard.
    made.catch(() => undefined);
    return made;
  };
  /** The thread answers the job that it was given last. */
  const answer = (thread: number) => {
    const { events, jobs } = threads[thread]!;
    events.onResult({ id: jobs.at(-1)!.id, file: FILE });
  };
  return { renderer, threads, clock, render, answer };
}

test('a thread is there before the first page is asked for, and gets one job at a time', async () => {
  const { renderer, threads, render, answer } = createTrial();
  expect(threads).toHaveLength(1);
  const pages = [render('a'), render('b')];
  expect(threads[0]!.jobs.map(({ slug }) => slug)).toEqual(['a']);
  expect(renderer.waiting()).toBe(2);
  answer(0);
  expect(threads[0]!.jobs.map(({ slug }) => slug)).toEqual(['a', 'b']);
  answer(0);
  expect(await Promise.all(pages)).toEqual([FILE, FILE]);
  expect(renderer.waiting()).toBe(0);
});

test('a failed job rejects with the reason, and the thread continues', async () => {
  const { threads, render, answer } = createTrial();
  const [bad, good] = [render('bad'), render('good')];
  threads[0]!.events.onResult({ id: threads[0]!.jobs[0]!.id, failure: 'no title' });
  answer(0);
  await expect(bad).rejects.toThrow('no title');
  expect(await good).toBe(FILE);
  expect(threads).toHaveLength(1);
});

test('a job that takes too long costs its thread, and the next one is made by another', async () => {
  const { threads, render, answer } = createTrial();
  const [slow, next] = [render('slow'), render('next')];
  vi.advanceTimersByTime(JOB_DEADLINE_MS);
  await expect(slow).rejects.toThrow('too long');
  expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  answer(1);
  expect(await next).toBe(FILE);
});

test('a thread that breaks takes only its own job along, also when it breaks between two', async () => {
  const { threads, render, answer } = createTrial();
  const [broken, next] = [render('broken'), render('next')];
  threads[0]!.events.onBroken(new Error('out of memory'));
  await expect(broken).rejects.toThrow('out of memory');
  answer(1);
  expect(await next).toBe(FILE);
  threads[1]!.events.onBroken(new Error('idle'));
  expect(threads).toHaveLength(2);
  const after = render('after');
  answer(2);
  expect(await after).toBe(FILE);
});

test('without a thread a page is refused and not kept waiting; the next one tries again', async () => {
  const { renderer, render, answer } = createTrial(2);
  await expect(render('first')).rejects.toThrow('There is no rendering thread');
  expect(renderer.waiting()).toBe(0);
  const second = render('second');
  answer(0);
  expect(await second).toBe(FILE);
});

test('a job that cannot be handed over is refused, and those behind it are made', async () => {
  const { render, answer } = createTrial();
  const first = render('first');
  const [bad, good] = [render('unclonable'), render('good')];
  answer(0);
  await expect(bad).rejects.toThrow('cannot be cloned');
  answer(0);
  expect(await Promise.all([first, good])).toEqual([FILE, FILE]);
});

test('jobs beyond the line’s length, and those that waited too long, are answered busy', async () => {
  const { clock, render, answer } = createTrial();
  const first = render('first');
  const waiting = Array.from({ length: LINE_LENGTH_MAX }, (_, i) => render(`page ${i}`));
  expect(await render('one too many')).toBe('busy');
  clock.time = WAIT_MAX_MS + 1;
  const late = render('late, and no line any more').catch(() => 'rejected');
  answer(0);
  expect(await first).toBe(FILE);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['busy']));
  expect(await late).toBe('busy');
});

test('closing refuses what waits and what comes', async () => {
  const { renderer, threads, render } = createTrial();
  const pages = [render('a'), render('b')];
  await renderer.close();
  for (const page of [...pages, render('c')]) await expect(page).rejects.toThrow('stopping');
  expect(threads[0]!.isTerminated).toBe(true);
  vi.advanceTimersByTime(JOB_DEADLINE_MS);
  expect(threads).toHaveLength(1);
});

const quick = (slug: string) =>
  ({ slug, baseUrl: 'https://sl.example.com', source: '', file: OWN_PAGE, language: 'en' }) as const;
const large = (slug: string) => ({ ...quick(slug), source: 'x'.repeat(SLOW_SOURCE_LENGTH) });

test('quick jobs run first, in order; large pages and QR codes get one turn in eight', () => {
  const line = createWaitingLine(() => 0);
  void line.add(large('menu'));
  void line.add({ ...quick('code'), file: qrFile('png', '')! });
  for (let i = 1; i <= 10; i += 1) void line.add(quick(String(i)));
  const order: string[] = [];
  for (let next = line.take(); next !== null; next = line.take()) order.push(next.job.slug);
  expect(order).toEqual(['1', '2', '3', '4', '5', '6', '7', 'menu', '8', '9', '10', 'code']);
});

test('each job has a number of its own', () => {
  const line = createWaitingLine(() => 0);
  for (const slug of ['a', 'b', 'c']) void line.add(quick(slug));
  expect(new Set(line.clear().map(({ job }) => job.id)).size).toBe(3);
  expect(line.length()).toBe(0);
});
