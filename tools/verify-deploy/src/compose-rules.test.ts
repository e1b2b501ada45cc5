import { expect, test } from 'vitest';
import type { ComposeDocument, ComposeService } from './compose-document.js';
import { composeProblems } from './compose-rules.js';

const GOOD: ComposeService = {
  image: 'smartlink/redirect:0.1.0',
  user: '1000:1000',
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  environment: { DATABASE_URL_FILE: '/run/secrets/database_url', REDIRECT_PORT: '8080' },
  secrets: [{ source: 'database_url' }],
  healthcheck: { test: ['CMD', 'true'] },
  stop_grace_period: '13s',
  networks: { edge: null },
  volumes: [{ type: 'volume', source: 'spool', target: '/spool' }],
  logging: { options: { 'max-size': '20m', 'max-file': '5' } },
  deploy: { resources: { limits: { cpus: 2, memory: '1073741824' } } },
};

test('finds nothing wrong with a service that is pinned, bounded and hardened', () => {
  expect(problemsOf({})).toEqual([]);
});

const FAULTS: readonly [string, Partial<ComposeService>, RegExp][] = [
  ['the newest image', { image: 'redis:latest' }, /no exact tag/],
  ['an image without a tag', { image: 'localhost:5000/redis' }, /no exact tag/],
  ['root', { user: '0:0' }, /user is root/],
  ['no user', { user: '' }, /user is root/],
  ['a file system that can be written to', { read_only: false }, /written to/],
  ['capabilities that are kept', { cap_drop: [] }, /keeps capabilities/],
  ['capabilities that are given', { cap_add: ['SYS_ADMIN'] }, /given capabilities/],
  ['new privileges', { security_opt: [] }, /gain privileges/],
  ['no limits', { deploy: {} }, /no limit/],
  ['too little time to drain', { stop_grace_period: '10s' }, /less than its drain/],
  ['the default time to drain', { stop_grace_period: '0s' }, /less than its drain/],
  ['a log without an end', { logging: {} }, /without end/],
  ['a port for everybody', { ports: [{ target: 8080, published: '8080' }] }, /publishes port 8080/],
  ['a network to the outside', { networks: { outside: null } }, /reaches the outside/],
  [
    'a variable that nobody reads',
    { environment: { DATABASE_URL_FILE: '/run/secrets/database_url', PORT: '1' } },
    /PORT, which it does not read/,
  ],
  ['a variable that is missing', { environment: {} }, /not given DATABASE_URL/],
  [
    'an address with a password',
    { environment: { DATABASE_URL: 'postgres://a:b@c/d' } },
    /looks like a secret/,
  ],
  ['a secret that is not handed over', { secrets: [] }, /none of its secrets/],
  [
    'a folder that is not there',
    { volumes: [{ type: 'bind', source: '/nowhere', target: '/x' }] },
    /not in the checkout/,
  ],
  ['a volume without a name', { volumes: [{ type: 'volume', target: '/x' }] }, /no volume with a name/],
  [
    'somebody unknown to wait for',
    { depends_on: { nobody: { condition: 'service_healthy' } } },
    /which there is not/,
  ],
];

test.each(FAULTS)('tells of %s', (_name, fault, words) => {
  expect(problemsOf(fault).join('\n')).toMatch(words);
});

test('tells of a service without a health check, but not of a job', () => {
  const { healthcheck: _none, ...unwatched } = GOOD;
  const document = documentOf(unwatched);
  expect(problems(document)).toEqual(['redirect: it has no health check']);
  const waits = { ...GOOD, depends_on: { redirect: { condition: 'service_completed_successfully' } } };
  const { environment: _given, ...other } = waits;
  expect(problems({ ...document, services: { ...document.services, other } })).toEqual([]);
});

function problemsOf(fault: Partial<ComposeService>): readonly string[] {
  return problems(documentOf({ ...GOOD, ...fault }));
}

function problems(document: ComposeDocument): readonly string[] {
  const redirect = {
    known: new Set(['DATABASE_URL', 'REDIRECT_PORT']),
    required: new Set(['DATABASE_URL']),
  };
  return composeProblems(document, { variables: { redirect }, isThere: () => false });
}

function documentOf(redirect: ComposeService): ComposeDocument {
  return {
    services: { redirect },
    networks: { edge: { internal: true }, outside: {} },
    volumes: { spool: {} },
    secrets: { database_url: { file: '/secrets/database_url' } },
  };
}
