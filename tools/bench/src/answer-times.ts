import { goal, inTurns, number, type Table } from './figures.js';
import { timed, withProgress } from './program.js';
import type { Server } from './servers.js';
import type { StackRun } from './stack.js';

/** A request of the API; `msMax` is the limit of its p95. */
export type Call = { readonly path: string; readonly msMax: number };

export type AnswerTimes = {
  /** In ms, by the title of the call and by round. */
  readonly times: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly table: Table;
  /** The calls beyond their limits. */
  readonly missed: readonly string[];
};

type Timed = {
  readonly server: Server;
  readonly apiKey: string;
  readonly title: string;
  readonly calls: Readonly<Record<string, Call>>;
};

/** Times of whole answers over one connection: every call in turns, after a round that warms up. */
export async function timeAnswers(
  { sizes, signal }: StackRun<{ readonly callRepeats: number }>,
  { server, apiKey, title, calls }: Timed,
): Promise<AnswerTimes> {
  const names = Object.keys(calls);
  const measure = (rounds: number) =>
    withProgress('calls, in turns', names.length * rounds, (advance) =>
      inTurns(names, { rounds, signal }, async (name) => {
        const timesMs: number[] = [];
        for (let i = 0; i < sizes.callRepeats; i += 1) {
          const path = calls[name]?.path ?? '';
          const ms = await timeAnswer(server, apiKey, path);
          timesMs.push(ms);
          if (ms === Infinity) break;
        }
        advance();
        return timesMs;
      }),
    );
  await measure(1);
  const times = await measure(sizes.rounds);
  const rows = names.map((name) => {
    const all = times[name]?.flat() ?? [];
    return {
      name,
      p50Ms: percentile(all, 50),
      p95Ms: percentile(all, 95),
      msMax: calls[name]?.msMax ?? Number.NaN,
    };
  });
  return {
    times,
    table: {
      title: `${title}, one connection`,
      head: ['request', 'p50 ms', 'p95 ms', 'at most'],
      rows: rows.map(({ name, p50Ms, p95Ms, msMax }) => [name, number(p50Ms), number(p95Ms), String(msMax)]),
    },
    missed: rows
      .filter(({ p95Ms, msMax }) => p95Ms > msMax)
      .map(({ name, p95Ms, msMax }) => goal(false, `${name}: p95 ${number(p95Ms)} ms (at most ${msMax})`)),
  };
}

/** Infinity if ClickHouse does not answer in time, which is 503. */
async function timeAnswer(server: Server, apiKey: string, path: string): Promise<number> {
  let isLate = false;
  const ms = await timed(async () => {
    const response = await fetchFrom(server, apiKey, path);
    await response.arrayBuffer();
    isLate = response.status === 503;
    if (!isLate && !response.ok) throw new Error(`${path} is answered with ${response.status}`);
  });
  return isLate ? Infinity : ms;
}

const fetchFrom = (server: Server, apiKey: string, path: string): Promise<Response> =>
  fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } });

/** Rejects unless the answer is a success. */
export async function getAnswer(server: Server, apiKey: string, path: string): Promise<Response> {
  const response = await fetchFrom(server, apiKey, path);
  if (!response.ok) throw new Error(`${path} is answered with ${response.status}`);
  return response;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
