import path from 'node:path';

export type Bench = {
  readonly name: string;
  /** What it asks, in one line. */
  readonly question: string;
  /** Compiled, from the root of the project. */
  readonly program: string;
};

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** All benchmarks, in the order in which they run: short ones first. */
export const BENCHES: readonly Bench[] = [
  {
    name: 'blocklist',
    question: 'what a look-up in a blocklist costs, and reading it again',
    program: 'services/management/bench/dist/blocklist/main.js',
  },
  {
    name: 'redirect',
    question: 'what a redirect costs beside a bare uWebSockets.js handler and nginx',
    program: 'services/redirect/bench/dist/redirect/main.js',
  },
  {
    name: 'cores',
    question: 'what a second process of the redirect service brings',
    program: 'services/redirect/bench/dist/cores/main.js',
  },
  {
    name: 'cold',
    question: 'what a visit costs whose link is not in memory, and one to a page',
    program: 'services/redirect/bench/dist/cold/main.js',
  },
  {
    name: 'management',
    question: 'what the management API costs beside a bare Fastify route',
    program: 'services/management/bench/dist/management/main.js',
  },
  {
    name: 'connections',
    question: 'what 10,000 connections cost, and a new one for each visit',
    program: 'services/redirect/bench/dist/connections/main.js',
  },
  {
    name: 'zipf',
    question: 'what visits to a million links cost, with room in memory for some of them',
    program: 'services/redirect/bench/dist/zipf/main.js',
  },
  {
    name: 'memory',
    question: 'what links take in the memory of a worker, beside what its cache reckons',
    program: 'services/redirect/bench/dist/memory/main.js',
  },
  {
    name: 'growth',
    question: 'what links cost in Postgres and Redis as they become many',
    program: 'services/redirect/bench/dist/growth/main.js',
  },
  {
    name: 'analytics',
    question: 'how fast events come in, and how fast figures come out',
    program: 'services/management/bench/dist/analytics/main.js',
  },
].map((bench) => ({ ...bench, program: path.join(ROOT, bench.program) }));
