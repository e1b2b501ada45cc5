import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useAdmin } from './run-admin.js';

const PUBLIC_BASE_URL = 'https://sl.example';
const admin = useAdmin();
let ann: { userId: string; email: string };
let folder: string;

beforeAll(async () => {
  ann = await admin.createUser();
  folder = mkdtempSync(join(tmpdir(), 'smartlink-links-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => admin.runWith({ PUBLIC_BASE_URL }, ...args);

async function json<Output>(...args: string[]): Promise<Output> {
  const { exitCode, stdout, stderr } = await run(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Output;
}

type Link = Record<'smartlinkId' | 'email' | 'type' | 'name' | 'slug' | 'address', string>;
let count = 0;
const createLink = (...more: string[]) =>
  json<Link>(
    'links create',
    'https://example.org/',
    '-a',
    ann.email,
    '--slug',
    `link${(count += 1)}`,
    ...more,
  );

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** What a change leaves for the management service and the audit log. */
async function tracesOf(smartlinkId: string) {
  const { rows: outbox } = await admin.db.query<{ version: string }>(
    `select publish_outbox.version from publish_outbox join slugs on slugs.key = slug_key
     where smartlink_id = $1 order by publish_outbox.id`,
    [smartlinkId],
  );
  const { rows: audit } = await admin.db.query<{ actor: string; action: string }>(
    'select actor, action from audit_entries where smartlink_id = $1 order by id',
    [smartlinkId],
  );
  const { rows: links } = await admin.db.query<{ version: string; status: string }>(
    'select version, status from smartlinks where id = $1',
    [smartlinkId],
  );
  return { outbox: outbox.map(({ version }) => version), audit, ...links[0]! };
}

test('a link is created from one line, published through the outbox, and recorded with its webhooks', async () => {
  const webhookId = randomUUID();
  await admin.db.query(
    `insert into webhooks (id, user_id, url, event_types, secret, is_enabled)
     values ($1, $2, 'https://example.org/hook', '{smartlink.created}', 's', true)`,
    [webhookId, ann.userId],
  );
  const link = await createLink('--name', 'Spring sale');
  const { smartlinkId, slug } = link;
  expect(link).toEqual({
    ...{ smartlinkId, email: ann.email, type: 'Url', name: 'Spring sale', slug },
    address: `${PUBLIC_BASE_URL}/${slug}`,
  });
  const { outbox, audit, version, status } = await tracesOf(smartlinkId);
  expect({ outbox, audit, status }).toEqual({
    outbox: [version],
    audit: [{ actor: 'admin', action: 'smartlink.create' }],
    status: 'Active',
  });
  const { rows } = await admin.db.query('select data from webhook_deliveries where webhook_id = $1', [
    webhookId,
  ]);
  expect(rows).toEqual([{ data: expect.objectContaining({ smartlinkId }) as unknown }]);
});

test('a link of any type is created from the body of a create call; options replace its members', async () => {
  const body = {
    configuration: { smartlinkName: 'Shop', smartlinkType: 'Landing', smartlinkUrl: 'fromfile' },
    landing: { title: 'Shop' },
    landingButtons: [{ title: 'Order', link: 'https://example.com/' }],
  };
  const link = await json<Link>('links create', write('shop.json', body), '-a', ann.email, '--slug', 'shop1');
  expect(link).toMatchObject({ type: 'Landing', name: 'Shop', slug: 'shop1' });
  const { document } = await json<{ document: object }>('links show', link.smartlinkId);
  expect(document).toMatchObject({ landing: { title: 'Shop' }, landingButtons: body.landingButtons });
  // What show prints is a body again.
  const copy = write('copy.json', document);
  expect(await json('links create', copy, '-a', ann.email, '--slug', 'shop2')).toMatchObject({
    name: 'Shop',
  });
  const locked = { ...body, configuration: { ...body.configuration, smartlinkType: 'Url' } };
  const url = {
    ...locked,
    shortener: { url: 'https://example.org/', protected: true, password: 'secret words' },
  };
  const { smartlinkId } = await json<Link>('links create', write('url.json', url), '-a', ann.email);
  const { rows } = await admin.db.query('select content, password_hash from smartlinks where id = $1', [
    smartlinkId,
  ]);
  expect(rows[0]).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2id\$/) as unknown });
  expect(JSON.stringify(rows)).not.toContain('secret words');
});

test.each([
  [['https://sl.example/spring'], /^URL: .*\.\n$/],
  [['ftp://example.org/'], /^URL: Invalid URL format\.\n$/],
  [['https://example.org/', '--slug', 'spring-sale'], /^--slug: .* latin characters and numbers\.\n$/],
  [['https://example.org/', '--slug', 'dashboard'], /^--slug: This smartlink URL is reserved\.\n$/],
  [['https://example.org/', '--name', ' '], /^--name: /],
  [['example.org'], /example\.org is neither a file nor an address that begins with https:/],
])('links create %j breaks a rule of the API, and stores nothing', async (args, line) => {
  const before = await json<unknown[]>('links list', '-n', '1000');
  const { exitCode, stderr } = await run('links create', ...args, '-a', ann.email);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(line) as unknown });
  expect(await json<unknown[]>('links list', '-n', '1000')).toHaveLength(before.length);
});

test.each(['{', '[]', '{"configuration":{"smartlinkName":1}}', '{"a":1,"a":2}'])(
  'a file that holds %s is refused with its name or the faults',
  async (content) => {
    const { exitCode, stderr } = await run('links create', write('bad.json', content), '-a', ann.email);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stderr).not.toContain('The command failed');
  },
);

test('a taken slug and a plan without room refuse a link', async () => {
  const bob = await admin.createUser('Starter');
  const add = (slug: string) => run('links create', 'https://example.org/', '-a', bob.email, '--slug', slug);
  const { slug } = await createLink();
  expect((await add(slug.toUpperCase())).stderr).toBe(
    `--slug ${slug.toUpperCase()}: This smartlink URL is already taken.\n`,
  );
  for (const free of ['bob1', 'bob2', 'bob3']) expect((await add(free)).exitCode).toBe(0);
  expect((await add('bob4')).stderr).toBe(
    `Subscription limit reached: ${bob.email} has 3 smartlinks on the plan Starter.\n`,
  );
});

test('a link is paused, resumed and deleted, each once, with its traces', async () => {
  const { smartlinkId, slug } = await createLink();
  const steps = [
    ['pause', 'Paused', 'smartlink.pause'],
    ['resume', 'Active', 'smartlink.activate'],
  ] as const;
  const actions = ['smartlink.create'];
  for (const [command, status, action] of steps) {
    expect(await json('links', command, slug)).toEqual({ smartlinkId, status, changed: true });
    expect(await json('links', command, smartlinkId)).toEqual({ smartlinkId, status, changed: false });
    actions.push(action);
    const traces = await tracesOf(smartlinkId);
    expect(traces).toMatchObject({ status, audit: actions.map((one) => ({ actor: 'admin', action: one })) });
    expect(traces.outbox.at(-1)).toBe(traces.version);
  }
  expect((await run('links delete', slug)).stderr).toBe(
    'Deleting a smartlink cannot be undone: add --yes.\n',
  );
  expect(await json('links delete', slug, '-y')).toEqual({ smartlinkId, slug });
  const { outbox, version, status, audit } = await tracesOf(smartlinkId);
  expect([outbox.at(-1), status, audit.at(-1)?.action]).toEqual([version, 'Deleted', 'smartlink.delete']);
  for (const command of ['pause', 'resume', 'delete --yes', 'open']) {
    expect((await run(`links ${command}`, slug)).stderr).toBe(`The smartlink ${slug} is deleted.\n`);
  }
});

test('a link that was paused as unsafe is not resumed', async () => {
  const { smartlinkId, slug } = await createLink();
  await admin.db.query(`update smartlinks set status = 'Paused', pause_reason = $2 where id = $1`, [
    smartlinkId,
    { code: 'UNSAFE_URL', details: [{ path: 'shortener.url', message: 'URL was judged unsafe' }] },
  ]);
  expect((await run('links resume', slug)).stderr).toMatch(/judged unsafe \(shortener\.url\): .* API/);
  expect((await tracesOf(smartlinkId)).status).toBe('Paused');
  expect((await run('links show', slug)).stdout).toContain('shortener.url: URL was judged unsafe');
});

test('links list has each link once in pages, newest first, and each filter leaves out the others', async () => {
  const eve = await admin.createUser();
  const add = (url: string, slug: string) =>
    json<Link>('links create', url, '-a', eve.email, '--slug', slug, '--name', `The ${slug}`);
  const links = [];
  for (const slug of ['eve1', 'eve2', 'eve3']) links.push(await add(`https://${slug}.example/100%25_`, slug));
  await run('links pause eve2');
  await run('links delete eve3 --yes');
  const slugs = async (...args: string[]) =>
    (await json<Link[]>('links list', '-a', eve.email, ...args)).map(({ slug }) => slug);
  expect(await slugs()).toEqual(['eve2', 'eve1']);
  expect(await slugs('--status', 'all')).toEqual(['eve3', 'eve2', 'eve1']);
  expect(await slugs('--status', 'Paused')).toEqual(['eve2']);
  expect(await slugs('--search', 'EVE1.example')).toEqual(['eve1']);
  expect(await slugs('--search', 'the eve')).toEqual(['eve2', 'eve1']);
  expect(await slugs('--search', '%25_')).toEqual(['eve2', 'eve1']);
  expect(await slugs('--search', '1__%')).toEqual([]);
  expect(await slugs('--type', 'Landing')).toEqual([]);
  expect(await slugs('-n', '1')).toEqual(['eve2']);
  expect(await slugs('--after', links[1]!.smartlinkId)).toEqual(['eve1']);
  const { stdout } = await run('links list', '-a', eve.email, '-n', '1');
  expect(stdout).toMatch(/^SLUG +STATUS +TYPE +NAME +DESTINATION +ACCOUNT +CREATED +ID\neve2 +Paused /);
  expect(stdout).toContain(`There are more: add --after ${links[1]!.smartlinkId}.\n`);
});

test('links open prints the address, and opens it in a terminal on a desktop', async () => {
  const { address, slug } = await createLink();
  const opened = join(folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { PUBLIC_BASE_URL, DISPLAY: ':0', PATH: `${folder}:/bin:/usr/bin` };
  const args = ['links', 'open', slug];
  expect((await admin.runIn({}, env, args)).stdout).toBe(`${address}\n`);
  const seen = await admin.runIn({ isStdoutTerminal: true }, { ...env, DISPLAY: undefined }, args);
  expect(seen.stdout).toBe(`${address}\n`);
  if (process.platform === 'linux') expect(existsSync(opened)).toBe(false);
  await admin.runIn({ isStdoutTerminal: true }, env, args);
  await vi.waitFor(() => {
    expect(readFileSync(opened, 'utf8')).toBe(address);
  });
});
