import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SmartlinkClient, SmartlinkCreate } from '@smartlink/client';
import { DEMO_LINKS } from '@smartlink/embedded/seed';
import type { OwnStack, Target } from './target.js';

/** The smartlink with a number, from 0, at the slug `<prefix><number>`. scenarios/lib/judge.js has the same rule. */
export type PlanLinks = (prefix: string, number: number) => SmartlinkCreate;

/** Url links; number n leads to https://example.org/n. */
export const urlLinks: PlanLinks = (prefix, number) => ({
  configuration: {
    smartlinkName: `Load test ${number}`,
    smartlinkUrl: `${prefix}${number}`,
    smartlinkType: 'Url',
  },
  shortener: { url: `https://example.org/${number}` },
});

/** Every tenth is an App link with two stores and a fallback, the others are Url links. */
export const appAndUrlLinks: PlanLinks = (prefix, number) =>
  number % 10 === 9
    ? {
        configuration: {
          smartlinkName: `Load test ${number}`,
          smartlinkUrl: `${prefix}${number}`,
          smartlinkType: 'App',
          appStoreLink: `https://apps.apple.com/app/id${1_000_000_000 + number}`,
          googlePlayLink: `https://play.google.com/store/apps/details?id=org.example.a${number}`,
          fallBackLink: `https://example.org/${number}`,
        },
      }
    : urlLinks(prefix, number);

const PAGES = DEMO_LINKS.filter(({ configuration }) => !['Url', 'App'].includes(configuration.smartlinkType));

/** Hosted pages of the demo, one type after the other. */
export const pageLinks: PlanLinks = (prefix, number) => {
  const page = PAGES[number % PAGES.length];
  if (page === undefined) throw new Error('the demo has no pages');
  const configuration = { ...page.configuration, smartlinkUrl: `${prefix}${number}` };
  return { ...page, configuration } as SmartlinkCreate;
};

const BULK_MAX = 100;
/** Above this the import of the admin command is faster than bulk calls. */
const BY_API_MAX = 2_000;

type RunAdmin = OwnStack['runAdmin'];

type LinksOptions = {
  readonly api: SmartlinkClient;
  readonly target: Target;
  readonly plan: PlanLinks;
  readonly prefix: string;
  readonly count: number;
  /** For a temporary file. */
  readonly folder: string;
  readonly signal: AbortSignal;
};

/** Creates the smartlinks of a plan. Rejects if one of them is refused. */
export async function createLinks(options: LinksOptions): Promise<void> {
  const { api, target, plan, prefix, count, signal } = options;
  if (target.own && count > BY_API_MAX) return importLinks(options, target.own.runAdmin);
  for (let first = 0; first < count; first += BULK_MAX) {
    signal.throwIfAborted();
    const size = Math.min(BULK_MAX, count - first);
    const operations = Array.from({ length: size }, (_, index) => ({ create: plan(prefix, first + index) }));
    const { data } = await api.smartlinks.bulk(operations);
    for (const result of data)
      if (!result.success) throw new Error(`a smartlink was refused: ${result.error.message}`);
  }
}

async function importLinks({ plan, prefix, count, folder }: LinksOptions, runAdmin: RunAdmin): Promise<void> {
  const file = `${folder}/links.ndjson`;
  const lines = function* () {
    for (let number = 0; number < count; number += 1) yield `${JSON.stringify(plan(prefix, number))}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const output = await runAdmin(['import', file, '--email', 'demo@example.com', '--json']);
  const { created } = JSON.parse(output) as { created: number };
  await rm(file);
  if (created !== count) throw new Error(`${count - created} of ${count} smartlinks were refused`);
}

/** Deletes the smartlinks whose slugs have the prefix, which includes those of scripts. */
export async function deleteLinks(api: SmartlinkClient, prefix: string): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of api.smartlinks.listAll({ q: prefix })) ids.push(id);
  for (let first = 0; first < ids.length; first += BULK_MAX) {
    const part = ids.slice(first, first + BULK_MAX);
    await api.smartlinks.bulk(part.map((smartlinkId) => ({ delete: { smartlinkId } })));
  }
}
