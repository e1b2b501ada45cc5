// Goal and bound of each promise that has a trial, in the order of the page. E: events. C: changes. F: the checkers and
// restarts. S: security. R: replicas and regions. Bounds are those of the full size.
const TABLE: Record<string, readonly [goal: string, bound: string]> = {
  E1: [
    'An orderly stop loses no event',
    '20 SIGTERMs under load, 100,000 events: none lost or doubled; gone within 10 s',
  ],
  E2: [
    'A killed redirect process loses only its last milliseconds',
    '50 kills -9 of a worker under visits: of the visits whose 302 arrived, at most those of the last 10 ms are lost, 30 where processes wait for the processor (load 12 on 2 cores; 82 were seen at load 22), none doubled; none lost in strict mode',
  ],
  E3: ['Killing ClickHouse during an insert loses no event', '30 kills -9: none lost, none doubled'],
  E4: [
    'Events wait while ClickHouse is down, and visits are not slowed',
    '1,000,000 wait: none lost; 20,000/s or more leave after; p99 of visits moves by 10 % at most',
  ],
  E5: [
    'A ClickHouse that is slow, disconnects after the commit or answers 500 loses no event',
    'none lost, none doubled; memory grows by 64 MiB at most',
  ],
  E6: [
    'A full disk drops events, each of them counted, and no visit',
    'all visits answered; accepted − delivered = dropped, exactly; written again within 5 s of space',
  ],
  E7: ['An outage of Redis or Postgres loses no event', 'none lost'],
  E8: [
    'Damage in the spool loses only the damaged frames',
    '1,000 flips and cuts at random: no crash, every sound frame delivered, the others counted',
  ],
  E9: ['A visit appears in analytics within seconds', 'p50 2 s, p99 5 s'],
  E10: [
    'ClickHouse gets few inserts and keeps few parts',
    'one insert a second at most; under 300 active parts a partition after the inserts of an hour',
  ],
  E11: ['Memory is bounded', 'buffers have a fixed size; flat over 10 minutes of load'],
  C1: [
    'A change is visible as soon as the API has answered',
    'p50 10 ms, p99 100 ms, all within 1 s; 2,000 updates, 4 redirect processes',
  ],
  C2: ['A late reader never replaces a link by an older version', 'none of 10,000 forced races'],
  C3: ['A lost change message is recovered', 'within 3 s'],
  C4: [
    'Redis killed, stopped or silently cut off',
    'all visits answered; nothing older than 30 s; p99 50 ms after the first second',
  ],
  C5: ['Postgres down', 'known links all answered, unknown slugs 503, no absence remembered'],
  C6: ['Redis and Postgres down', 'known links answered for up to an hour; no process ends'],
  C7: [
    'Concurrent visits of a cold link share one query to Postgres',
    '10,000 visits at once: one query a process at most',
  ],
  C8: [
    'Guessing slugs harms no visitor',
    '5,000 random slugs a second: p99 of known links at most doubles, 150 queries/s at most, no link evicted; malformed slugs cost no look-up; real links are never refused',
  ],
  C9: ['A link made after a 404 resolves', 'p99 1 s'],
  C10: [
    'A management process killed right after its commit loses no change',
    '1 s with a second process, 30 s without',
  ],
  F1: ['The checkers catch deliberately broken builds', 'each of the builds broken on purpose is caught'],
  F2: [
    'A redirect process starts and restarts within a second',
    'ready within 1 s, back within 1 s of a crash, its siblings undisturbed',
  ],
  R1: [
    'Losing a read replica or the primary fails no visit of a cold link',
    '1,600 cold links, both lost in between: all answered rightly; an unknown slug 503, never 404',
  ],
  R2: [
    'A change reaches another region within seconds, also after an outage of the region',
    '200 changes: p50 1 s, all within 5 s; seen within 5 s of the end of an outage',
  ],
  R3: [
    'A visit limit is exact over all processes and regions, and times hold without a message',
    '200 visits at once, and 10 kills each of a process, a Redis and Postgres: never one too many; starts and ends within 1 s',
  ],
  S11: [
    'An unsafe URL is refused, and pauses the links that already lead to it',
    'all refused while the provider answers, accepted or 503 as configured while it is down; paused for visitors within 1 s of a later verdict',
  ],
  S14: ["No visitor's address is kept", 'none in Postgres, Redis, ClickHouse, the spool or the logs'],
};

export const PROMISES = Object.entries(TABLE).map(([id, [goal, bound]]) => ({ id, goal, bound }));
