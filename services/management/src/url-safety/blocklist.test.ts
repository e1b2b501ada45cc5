import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { type Blocklist, openBlocklist } from './blocklist.js';

let directory: string;
let hosts: string;
let urls: string;
let blocklist: Blocklist | null;
let loads: number[];
let failures: number;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'blocklist-'));
  hosts = path.join(directory, 'hosts.txt');
  urls = path.join(directory, 'urls.csv');
  await writeFile(hosts, '\uFEFF# ours\r\nbad.example\r\n0.0.0.0 worse.example\r\n');
  await writeFile(urls, '"1","2026-11-01 07:12:05","http://some.example/evil.exe","online"\n');
  blocklist = null;
  loads = [];
  failures = 0;
});
afterEach(async () => {
  await blocklist?.close();
  await rm(directory, { recursive: true });
});

async function start(): Promise<Blocklist> {
  blocklist = await openBlocklist({
    files: [hosts, urls],
    // The tests look themselves.
    reloadIntervalMs: 3_600_000,
    log: createLogger({ service: 'test', level: 'silent' }),
    observer: {
      onLoaded: (entries) => loads.push(entries),
      onReloadFailed: () => undefined,
    },
  });
  return blocklist;
}

const reload = (list: Blocklist): Promise<void> =>
  list.reloadIfChanged().catch(() => {
    failures += 1;
  });

const unsafeAmong = async (list: Blocklist, ...asked: string[]) => [
  ...(await list.findUnsafe(asked, new AbortController().signal)),
];

/** Replaces a file as programs that know how do. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

test('hosts cover their subdomains, URLs only themselves', async () => {
  const list = await start();
  const listed = [
    ...['https://bad.example/', 'http://a.b.BAD.example:8080/x?y', 'https://worse.example./#z'],
    ...['http://some.example:80/evil.exe#a', 'https://some.example/%65vil.exe'],
  ];
  const free = [
    ...['https://notbad.example/', 'https://example/', 'https://bad.example.org/', 'http://some.example/'],
    ...['http://some.example/evil.exe?x', 'https://some.example/Evil.exe'],
  ];
  expect(await unsafeAmong(list, ...listed, ...free)).toEqual(listed);
  expect([list.entries(), loads]).toEqual([3, [3]]);
});

test('an entry with more labels than all others covers what is below it, also after a reload', async () => {
  const list = await start();
  const deep = 'https://x.a.b.c.d.deep.example/';
  expect(await unsafeAmong(list, deep)).toEqual([]);
  await replace(hosts, 'a.b.c.d.deep.example\n');
  await reload(list);
  expect(await unsafeAmong(list, deep, 'https://b.c.d.deep.example/')).toEqual([deep]);
});

test('a changed file is read again, whole, and an unchanged one is not', async () => {
  const list = await start();
  await reload(list);
  await replace(hosts, 'new.example\n');
  await reload(list);
  await reload(list);
  expect(await unsafeAmong(list, 'https://bad.example/', 'https://new.example/')).toEqual([
    'https://new.example/',
  ]);
  expect([loads, failures]).toEqual([[3, 2], 0]);
});

test.each([
  ['is empty', () => replace(hosts, '')],
  ['is a page that says why there is no list', () => replace(hosts, '<html>\n<body>\n<p>Sorry\n</html>\n')],
  ['is binary', () => replace(hosts, Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 37) % 256)))],
  ['has one line without an end', () => replace(hosts, 'x'.repeat(200_000))],
  ['is gone', () => rm(hosts)],
])(
  'a file that %s leaves the old list in use, fails once, and is read when it is whole again',
  async (_what, spoil) => {
    const list = await start();
    await spoil();
    await reload(list);
    if (_what !== 'is gone') await reload(list);
    expect([await unsafeAmong(list, 'https://bad.example/'), failures]).toEqual([
      ['https://bad.example/'],
      1,
    ]);
    await replace(hosts, 'new.example\n');
    await reload(list);
    expect(await unsafeAmong(list, 'https://bad.example/', 'https://new.example/')).toEqual([
      'https://new.example/',
    ]);
  },
);

test('some strange lines do not make a list useless', async () => {
  await writeFile(hosts, 'bad.example\nworse.example\n???\n');
  const list = await start();
  expect(await unsafeAmong(list, 'https://bad.example/')).toHaveLength(1);
});

test('a list that holds comments alone is empty on purpose', async () => {
  await writeFile(hosts, '# nothing yet\n');
  expect((await start()).entries()).toBe(1);
});

test.each([
  ['is missing', () => rm(hosts), /ENOENT/],
  ['is empty', () => writeFile(hosts, ''), /hosts\.txt is empty/],
  ['is something else', () => writeFile(hosts, '{\n"a": 1\n}\n'), /hosts\.txt is no list.*line 1/],
])('a file that %s at the start is an error', async (_what, spoil, message) => {
  await spoil();
  await expect(start()).rejects.toThrow(message);
});
