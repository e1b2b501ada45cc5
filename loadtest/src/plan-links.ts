import type { SmartlinkCreate } from '@smartlink/client';
import { DEMO_LINKS } from '@smartlink/embedded/demo-links';

/** Returns the smartlink of a number from 0 on, at the slug `<prefix><number>`. The k6 scripts know the same rule. */
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

/** Hosted pages, a type after the other: those of the demo. */
export const pageLinks: PlanLinks = (prefix, number) => {
  const page = PAGES[number % PAGES.length];
  if (page === undefined) throw new Error('the demo has no pages');
  const configuration = { ...page.configuration, smartlinkUrl: `${prefix}${number}` };
  // The same type, at another slug.
  return { ...page, configuration } as SmartlinkCreate;
};
