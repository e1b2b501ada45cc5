import type { LoadRequest } from '@smartlink/bench/load';
import type { BenchUser } from '../bench-users.js';
import type { Part } from './options.js';

export type Scenario = {
  readonly name: Part;
  readonly title: string;
  readonly connections: number;
  readonly expectedStatus: number;
  /** What a connection sends in one round of load; rounds differ where the same request twice would do nothing. */
  readonly requestsOf: (connection: number, round: number) => readonly LoadRequest[];
  /** A type of smartlink that not every build takes: where it is refused the scenario is left out. */
  readonly isOptional?: boolean;
};

export type BenchUsers = {
  /** Has no links at first; creates add to it. */
  readonly creator: BenchUser;
  readonly small: BenchUser & { readonly linkIds: readonly string[] };
  readonly listed: BenchUser;
  readonly big: BenchUser;
};

// As many as the service's own connections to Postgres. A list of 10,000 is megabytes: two at once keep a core busy.
const CONNECTIONS = 10;
const CONNECTIONS_OF_WHOLE_LIST = 2;

const UNKNOWN_ID = '0198f1c2-0000-7000-8000-000000000000';

/** Returns the scenarios that are compared with the bare route. */
export function scenariosAgainstBare(users: BenchUsers): readonly Scenario[] {
  const { creator, small, listed } = users;
  return [
    read('validate', 'GET /validate: the key alone', small, ['/validate']),
    read('not-found', 'GET by an unknown id: 404', small, [`/smartlink?id=${UNKNOWN_ID}`], {
      expectedStatus: 404,
    }),
    read(
      'fetch',
      'GET by id',
      small,
      small.linkIds.map((id) => `/smartlink?id=${id}`),
    ),
    read('list-100', 'GET list, limit=100', small, ['/smartlink?limit=100']),
    read('list-10000', 'GET list of 10,000', listed, ['/smartlink'], {
      connections: CONNECTIONS_OF_WHOLE_LIST,
    }),
    create('create-url', 'POST Url', creator, urlBody()),
    { ...create('create-txtbin', 'POST TxtBin, 2 kB of text', creator, txtBinBody()), isOptional: true },
    { ...create('create-qrmenu', 'POST QrMenu, 50 items', creator, qrMenuBody()), isOptional: true },
    patchScenario(small, small.linkIds),
  ];
}

/** Returns the same page of a user with many links and of one with a hundred; one connection, for time is compared. */
export function pagesOfBigAndSmallUser({
  big,
  small,
}: BenchUsers): readonly [big: Scenario, small: Scenario] {
  const page = (user: BenchUser) =>
    read('big-list', 'GET list, limit=100', user, ['/smartlink?limit=100'], { connections: 1 });
  return [page(big), page(small)];
}

function read(
  name: Part,
  title: string,
  user: BenchUser,
  paths: readonly string[],
  overrides: Partial<Pick<Scenario, 'connections' | 'expectedStatus'>> = {},
): Scenario {
  const headers = authorization(user);
  const requests = paths.map((path) => ({ method: 'GET', path: `/api/v1${path}`, headers }) as const);
  return {
    name,
    title,
    connections: CONNECTIONS,
    expectedStatus: 200,
    // Each connection begins elsewhere, so that they do not ask for the same link at the same time.
    requestsOf: (connection) => {
      const start = Math.floor((connection * requests.length) / CONNECTIONS) % requests.length;
      return [...requests.slice(start), ...requests.slice(0, start)];
    },
    ...overrides,
  };
}

function create(name: Part, title: string, user: BenchUser, body: object): Scenario {
  const request = write('POST', user, body);
  return { name, title, connections: CONNECTIONS, expectedStatus: 201, requestsOf: () => [request] };
}

/** Each connection renames links of its own, to a name that they do not have yet: every PATCH writes, none waits. */
function patchScenario(user: BenchUser, linkIds: readonly string[]): Scenario {
  const perConnection = Math.floor(linkIds.length / CONNECTIONS);
  return {
    name: 'patch',
    title: 'PATCH of the name',
    connections: CONNECTIONS,
    expectedStatus: 200,
    requestsOf: (connection, round) => {
      const own = linkIds.slice(connection * perConnection, (connection + 1) * perConnection);
      const names = [`Round ${round}, odd`, `Round ${round}, even`];
      return names.flatMap((smartlinkName) =>
        own.map((id) => write('PATCH', user, { id, configuration: { smartlinkName } })),
      );
    },
  };
}

function write(method: 'POST' | 'PATCH', user: BenchUser, body: object): LoadRequest {
  return {
    method,
    path: '/api/v1/smartlink',
    headers: { ...authorization(user), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

const authorization = ({ apiKey }: BenchUser) => ({ authorization: `Bearer ${apiKey}` });

function urlBody(): object {
  return {
    configuration: { smartlinkName: 'Bench', smartlinkType: 'Url' },
    shortener: { url: 'https://example.org/bench/create?source=bench' },
  };
}

function txtBinBody(): object {
  return {
    configuration: { smartlinkName: 'Bench', smartlinkType: 'TxtBin' },
    txtBin: { title: 'Bench', text: 'A line of forty characters, newline too\n'.repeat(50) },
  };
}

function qrMenuBody(): object {
  const items = Array.from({ length: 10 }, (_, position) => ({
    name: `Dish ${position}`,
    description: 'What it is made of, in about fifty characters.',
    price: 4.5 + position,
    variants: [
      { label: 'small', price: 4.5 + position },
      { label: 'large', price: 7 + position },
    ],
    badges: ['vegan'],
    position,
  }));
  const categories = Array.from({ length: 5 }, (_, position) => ({
    name: `Course ${position}`,
    position,
    items,
  }));
  return {
    configuration: { smartlinkName: 'Bench', smartlinkType: 'QrMenu' },
    qrMenu: { title: 'Bench', currency: '€', categories },
  };
}
