import type { SmartlinkClient, SmartlinkCreate } from '@smartlink/client';
import { demoLinks } from '@smartlink/embedded/seed';

/** The smartlink with a number, from 0, at the slug `<prefix><number>`. scenarios/lib/judge.js has the same rule. */
export type PlanLinks = (prefix: string, number: number) => SmartlinkCreate;

const named = (prefix: string, number: number) => {
  return { smartlinkName: `Load test ${number}`, smartlinkUrl: `${prefix}${number}` };
};

/** Url links; number n leads to https://example.org/n. */
export const urlLinks: PlanLinks = (prefix, number) => ({
  configuration: { ...named(prefix, number), smartlinkType: 'Url' },
  shortener: { url: `https://example.org/${number}` },
});

/** Every tenth is an App link with two stores and a fallback, the others are Url links. */
export const appAndUrlLinks: PlanLinks = (prefix, number) => {
  if (number % 10 !== 9) return urlLinks(prefix, number);
  const links = {
    appStoreLink: `https://apps.apple.com/app/id${1_000_000_000 + number}`,
    googlePlayLink: `https://play.google.com/store/apps/details?id=org.example.a${number}`,
    fallBackLink: `https://example.org/${number}`,
  };
  return { configuration: { ...named(prefix, number), smartlinkType: 'App', ...links } };
};

const PAGES = demoLinks('https://example.com').filter(
  ({ configuration }) => !['Url', 'App'].includes(configuration.smartlinkType),
);

/** Hosted pages of the demo, one type after the other. */
export const pageLinks: PlanLinks = (prefix, number) => {
  const page = PAGES[number % PAGES.length];
  if (page === undefined) throw new Error('the demo has no pages');
  const configuration = { ...page.configuration, smartlinkUrl: `${prefix}${number}` };
  return { ...page, configuration } as SmartlinkCreate;
};

const BULK_MAX = 100;
/** Faster than an import by the admin command: 1,100 against 800 smartlinks per second on two cores. */
const PARALLEL = 4;

/** Creates the smartlinks of a plan. Rejects if one of them is refused. */
export async function createLinks(
  api: SmartlinkClient,
  { plan, prefix, count }: { plan: PlanLinks; prefix: string; count: number },
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const first = next;
      next += BULK_MAX;
      const size = Math.min(BULK_MAX, count - first);
      const operations = Array.from({ length: size }, (_, index) => ({
        create: plan(prefix, first + index),
      }));
      const { data } = await api.smartlinks.bulk(operations, { signal });
      for (const result of data)
        if (!result.success) throw new Error(`a smartlink was refused: ${result.error.message}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
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
