/** One of the project's promises, and the bound by which it is kept or broken. */
export type ReliabilityPromise = {
  /** E: events. C: changes. F: the checkers and restarts. S: security. R: replicas and regions. */
  readonly id: string;
  readonly goal: string;
  readonly bound: string;
};

/** Every promise that has a trial, in the order of the table. Bounds are those of the full size. */
export const PROMISES: readonly ReliabilityPromise[] = [
  {
    id: 'E1',
    goal: 'A stop in good order loses no event',
    bound: '20 SIGTERMs under load, 100,000 events: none lost or doubled; gone within 10 s',
  },
  {
    id: 'E2',
    goal: 'A redirect process that is killed loses only its last moment',
    bound:
      '50 kills -9: at most the last 10 ms (25 on a busy machine), none doubled; none lost in strict mode',
  },
  {
    id: 'E3',
    goal: 'A ClickHouse that is killed during an insert costs nothing',
    bound: '30 kills -9: none lost, none doubled',
  },
  {
    id: 'E4',
    goal: 'Events wait while ClickHouse is away, and visitors do not notice',
    bound: '1,000,000 wait: none lost; 20,000/s or more leave after; p99 of visits moves by 10 % at most',
  },
  {
    id: 'E5',
    goal: 'A ClickHouse that is slow, hangs up after the commit or answers 500 costs nothing',
    bound: 'none lost, none doubled; memory grows by 64 MiB at most',
  },
  {
    id: 'E6',
    goal: 'A full disk costs events, each of them counted, and no visit',
    bound: 'all visits answered; accepted − delivered = dropped, exactly; written again within 5 s of space',
  },
  { id: 'E7', goal: 'Redis or Postgres away costs no event', bound: 'none lost' },
  {
    id: 'E8',
    goal: 'Damage in the spool costs the damaged frames alone',
    bound: '1,000 flips and cuts at random: no crash, every sound frame delivered, the others counted',
  },
  { id: 'E9', goal: 'A visit is soon in analytics', bound: 'p50 2 s, p99 5 s' },
  {
    id: 'E10',
    goal: 'ClickHouse is not worn out by small parts',
    bound: 'one insert a second at most; under 300 active parts a partition after the inserts of an hour',
  },
  { id: 'E11', goal: 'Memory is bounded', bound: 'buffers have a fixed size; flat over 10 minutes of load' },
  {
    id: 'C1',
    goal: 'A change is seen as soon as the API has answered',
    bound: 'p50 10 ms, p99 100 ms, all within 1 s; 2,000 updates, 4 redirect processes',
  },
  {
    id: 'C2',
    goal: 'A late reader never puts an old link over a newer one',
    bound: 'none of 10,000 forced races',
  },
  { id: 'C3', goal: 'A lost message is made up for', bound: 'within 3 s' },
  {
    id: 'C4',
    goal: 'Redis killed, stopped or cut off without a word',
    bound: 'all visits answered; nothing older than 30 s; p99 50 ms after the first second',
  },
  {
    id: 'C5',
    goal: 'Postgres away',
    bound: 'known links all answered, unknown slugs 503, no absence remembered',
  },
  {
    id: 'C6',
    goal: 'Redis and Postgres away',
    bound: 'known links answered for up to an hour; no process ends',
  },
  {
    id: 'C7',
    goal: 'A crowd at one cold link is one question to Postgres',
    bound: '10,000 visits at once: one query a process at most',
  },
  {
    id: 'C8',
    goal: 'Guessing slugs harms nobody',
    bound:
      '5,000 random slugs a second: p99 of known links at most doubles, 150 queries/s at most, no link evicted; malformed slugs cost no look-up; real links are never refused',
  },
  { id: 'C9', goal: 'A link made after a 404 resolves', bound: 'p99 1 s' },
  {
    id: 'C10',
    goal: 'A management process killed right after its commit loses no change',
    bound: '1 s with a second process, 30 s without',
  },
  {
    id: 'F1',
    goal: 'The checkers catch what they are for',
    bound: 'each of the builds broken on purpose is caught',
  },
  {
    id: 'F2',
    goal: 'A redirect process is soon there, and soon back',
    bound: 'ready within 1 s, back within 1 s of a crash, its siblings undisturbed',
  },
  {
    id: 'R1',
    goal: 'A read replica or the primary that goes costs no visit of a cold link',
    bound: '1,600 cold links, both lost in between: all answered rightly; an unknown slug 503, never 404',
  },
  {
    id: 'R2',
    goal: 'A change is soon seen in another region, whatever the region had lost meanwhile',
    bound: '200 changes: p50 1 s, all within 5 s; seen within 5 s of the end of an outage',
  },
  {
    id: 'S11',
    goal: 'An unsafe URL is refused, and pauses the links that already lead to it',
    bound:
      'all refused while the provider answers, accepted or 503 as configured while it is down; paused for visitors within 1 s of a later verdict',
  },
  {
    id: 'S14',
    goal: "No visitor's address is kept",
    bound: 'none in Postgres, Redis, ClickHouse, the spool or the logs',
  },
];
