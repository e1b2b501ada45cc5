import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { toPrintable } from '@smartlink/import/text';
import { failureCode, inTransaction } from '@smartlink/process/database';
import type { AccountRow } from '@smartlink/smartlink/accounts';
import { hashPassword } from '@smartlink/smartlink/credentials';
import { createSmartlinkValidator, type Fault, parseStrictJson } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import {
  addToOutbox,
  createDomainHosts,
  lockQuota,
  lockSmartlink,
  newId,
  placeInDomains,
  recordChanges,
  type SmartlinkRow,
  storeSmartlinks,
  toParts,
  writeDeletion,
  writeStatus,
} from '@smartlink/smartlink/store';
import { findUser } from '../accounts/find-user.js';
import { cannotRead, fileOf } from '../cli/files.js';
import { addAccountOption, requireAccount } from '../cli/options.js';
import { confirm, print, Problem, type Terminal } from '../cli/terminal.js';
import { examples } from '../cli/text.js';
import { addressOf, type Session, withSession } from '../engines/session.js';
import { findSmartlink, noSmartlink, SMARTLINK_NAMES } from '../visits/scope.js';

/** In the audit log. */
const ACTOR = 'admin';

export function addLinkChanges(links: Command, terminal: Terminal): void {
  addAccountOption(links.command('create'), 'e-mail or id of the owner (required)')
    .description('create a smartlink')
    .argument('<url|file>', 'destination of a Url link, or a JSON file with the body of a create call')
    .option('--slug <slug>', 'slug of the smartlink (default: assigned)')
    .option('--name <text>', 'name of the smartlink (default: the slug or the host)')
    .option('-j, --json', 'print {"smartlinkId","email","type","name","slug","address"}')
    .addHelpText(
      'after',
      `
The rules of the API and the owner's plan apply. URLs are checked by the safety provider within a minute, if there is one. A file
holds the JSON of POST /smartlink (docs/api.md), of any type; --slug and --name replace its members.
${examples(
  'links create https://example.com/sale --account ann@example.com --slug spring --name "Spring sale"',
  'links create menu.json --account ann@example.com',
)}`,
    )
    .action((source: string, options: CreateOptions) => create(terminal, source, options));
  links
    .command('pause')
    .description('pause a smartlink: visitors see a page that says so')
    .argument('<smartlink>', SMARTLINK_NAMES)
    .option('-j, --json', 'print {"smartlinkId","status","changed"}')
    .addHelpText('after', examples('links pause spring'))
    .action((name: string, options: JsonOption) => setStatus(terminal, name, 'Paused', options));
  links
    .command('resume')
    .description('activate a paused smartlink')
    .argument('<smartlink>', SMARTLINK_NAMES)
    .option('-j, --json', 'print {"smartlinkId","status","changed"}')
    .addHelpText('after', examples('links resume spring'))
    .action((name: string, options: JsonOption) => setStatus(terminal, name, 'Active', options));
  links
    .command('delete')
    .description('delete a smartlink permanently: visitors get 410, and the slug stays with the owner')
    .argument('<smartlink>', SMARTLINK_NAMES)
    .option('-y, --yes', 'do not ask')
    .option('-j, --json', 'print {"smartlinkId","slug"}')
    .addHelpText('after', examples('links delete spring', 'links delete spring --yes'))
    .action((name: string, options: JsonOption & { yes?: true }) => deleteLink(terminal, name, options));
}

type JsonOption = { json?: true };
type CreateOptions = JsonOption & { account?: string; slug?: string; name?: string };

async function create(terminal: Terminal, source: string, options: CreateOptions): Promise<void> {
  const account = requireAccount(options.account, 'that gets the smartlink');
  const isUrl = /^[a-z][a-z\d+.-]*:/i.test(source);
  const body = isUrl ? toUrlBody(source, options) : await readBody(fileOf(terminal, source), options);
  const { row, owner, address } = await withSession(terminal.env, async (session) => {
    const { db, addresses } = session;
    const { publicBaseUrl } = addresses;
    if (publicBaseUrl === undefined) {
      throw new Problem('PUBLIC_BASE_URL is not set: smartlinks must not lead back to it.');
    }
    const owner = await findUser(db, account);
    const domainHosts = createDomainHosts(db);
    await domainHosts.refresh();
    const validator = createSmartlinkValidator({ publicBaseUrl, isDomain: domainHosts.has });
    const checked = validator.validate(body, { hasStoredPassword: false });
    if (!checked.ok) throw new Problem(describeFaults(checked.faults, isUrl));
    const row = await store(session, owner, toParts(checked.value));
    return { row, owner, address: addressOf(addresses, row) };
  });
  const { id: smartlinkId, type, name, slug } = row;
  print(
    terminal,
    options.json,
    { smartlinkId, email: owner.email, type, name, slug, address },
    `Created ${address} for ${owner.email}, id ${smartlinkId}.\n`,
  );
}

function toUrlBody(url: string, { slug, name }: CreateOptions): object {
  const smartlinkName = name ?? slug ?? (URL.canParse(url) ? new URL(url).host : url);
  const configuration = { smartlinkName, smartlinkType: 'Url', smartlinkUrl: slug };
  return { configuration, shortener: { url } };
}

async function readBody(file: string, { slug, name }: CreateOptions): Promise<object> {
  const bytes = await readFile(file).catch((err: unknown) => {
    if (failureCode(err) !== 'ENOENT') throw cannotRead(file, err);
    throw new Problem(`${file} is neither a file nor an address that begins with https:// or http://.`);
  });
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) throw new Problem(`${file}: ${describeFaults(parsed.faults, false)}`);
  const body = parsed.value;
  if (!isObject(body)) throw new Problem(`${file}: expected an object, the body of a create call.`);
  const { configuration } = body;
  if (!isObject(configuration)) return body;
  return {
    ...body,
    configuration: {
      ...configuration,
      ...(slug !== undefined && { smartlinkUrl: slug }),
      ...(name !== undefined && { smartlinkName: name }),
    },
  };
}

const OPTION_BY_PATH: Readonly<Record<string, string>> = {
  'configuration.smartlinkUrl': '--slug',
  'configuration.smartlinkName': '--name',
  'shortener.url': 'URL',
};

function describeFaults(faults: readonly Fault[], isOneLine: boolean): string {
  const lines = faults.map(({ path, message }) => {
    const place = isOneLine ? (OPTION_BY_PATH[path] ?? path) : path;
    return place === '' ? message : `${place}: ${message}`;
  });
  return `${lines.join('; ')}.`;
}

/** Stores a new smartlink as the API does. Throws Problem if the plan has no room or the address is taken. */
async function store(
  { db }: Session,
  owner: AccountRow,
  { password, content, ...parts }: ReturnType<typeof toParts>,
): Promise<SmartlinkRow> {
  const { domain: host, ...columns } = parts;
  const smartlink = {
    id: newId(Date.now()),
    ...columns,
    content: { [parts.type]: content },
    passwordHash: password === undefined ? null : await hashPassword(password),
    // The management service has them judged soon.
    urlsChecked: false,
  };
  return inTransaction(db, async () => {
    if ((await lockQuota(db, owner.id)) === 0) {
      throw new Problem(
        `Subscription limit reached: ${owner.email} has ${owner.smartlinks} smartlinks on the plan ${owner.plan}.`,
      );
    }
    const [domain = null] = await placeInDomains(db, owner.id, [host]);
    if (typeof domain === 'string') {
      throw new Problem(`configuration.domain: ${host} is no verified domain of ${owner.email}.`);
    }
    const [row] = await storeSmartlinks(db, owner.id, [{ ...smartlink, domain }]);
    if (!row) throw new Problem(`--slug ${parts.slug ?? ''}: This smartlink URL is already taken.`);
    await addToOutbox(db, [row]);
    await recordChanges(db, [{ actor: ACTOR, action: 'smartlink.create', smartlink: row }]);
    return row;
  });
}

async function setStatus(
  terminal: Terminal,
  name: string,
  status: 'Active' | 'Paused',
  { json }: JsonOption,
): Promise<void> {
  const done = await withSession(terminal.env, (session) =>
    inTransaction(session.db, async () => {
      const row = await lockLink(session, name);
      // The API judges its URLs first; this command has no safety provider.
      if (status === 'Active' && row.status === 'Paused' && row.pause_reason !== null) {
        const paths = row.pause_reason.details.map(({ path }) => path).join(', ');
        throw new Problem(
          `${row.slug} was paused because a URL was judged unsafe (${paths}): activate it over the API, which checks it again.`,
        );
      }
      const { entries } = await writeStatus(session.db, row, { status, urlsChecked: false, actor: ACTOR });
      return { row, changed: entries.length > 0, address: addressOf(session.addresses, row) };
    }),
  );
  const { row, changed, address } = done;
  const is = `${address} is ${status === 'Paused' ? 'paused' : 'active'}`;
  print(terminal, json, { smartlinkId: row.id, status, changed }, `${is}${changed ? '' : ' already'}.\n`);
}

async function deleteLink(
  terminal: Terminal,
  name: string,
  { yes, json }: JsonOption & { yes?: true },
): Promise<void> {
  await withSession(terminal.env, async (session) => {
    const link = await findSmartlink(session.db, name);
    if (link === null) throw noSmartlink(name);
    const what = `${toPrintable(link.name)} (/${link.slug}) of ${toPrintable(link.email)}`;
    if (yes !== true) await confirm(terminal, 'Deleting a smartlink', `Delete ${what} for good?`);
    await inTransaction(session.db, async () =>
      writeDeletion(session.db, await lockLink(session, link.id), ACTOR),
    );
    print(terminal, json, { smartlinkId: link.id, slug: link.slug }, `Deleted ${what}.\n`);
  });
}

/** Throws Problem for an unknown or deleted smartlink. */
async function lockLink({ db }: Session, name: string): Promise<SmartlinkRow> {
  const link = await findSmartlink(db, name);
  if (link === null) throw noSmartlink(name);
  const row = await lockSmartlink(db, link.id, link.user_id);
  if (row === null) throw new Problem(`The smartlink ${link.slug} is deleted.`);
  return row;
}
