import type { PageSourceOf } from '../page-source.js';
import { isVisible } from '../parts/owner-text.js';
import { contactOf } from './contact.js';

/**
 * Returns the schema.org data of a card called `name`: a person, or an organization where no person is named. Without
 * numbers and mail addresses, which would only be bait for those who collect them.
 */
export function cardJsonLd({ page }: PageSourceOf<'DigiCard'>, name: string): object {
  const { title, jobTitle, company, logoLink } = page.digiCard;
  const sameAs = (page.digiCardButtons ?? []).flatMap(({ link, preset }) =>
    isProfile(link, preset) ? [link] : [],
  );
  const profiles = sameAs.length === 0 ? {} : { sameAs };
  const mainEntity =
    isVisible(title) && title !== company
      ? {
          '@type': 'Person',
          name,
          ...(isVisible(jobTitle) ? { jobTitle } : {}),
          ...(isVisible(company) ? { worksFor: { '@type': 'Organization', name: company } } : {}),
          ...(logoLink === undefined ? {} : { image: logoLink }),
          ...profiles,
        }
      : {
          '@type': 'Organization',
          // The page may be called by what previews show, which is no name of anybody.
          name: isVisible(company) ? company : name,
          ...(logoLink === undefined ? {} : { logo: logoLink }),
          ...profiles,
        };
  return { '@type': 'ProfilePage', mainEntity };
}

const NO_PROFILES: ReadonlySet<string | undefined> = new Set([
  'location',
  'calendar',
  'whatsapp',
  'phone',
  'email',
]);

// A page about the same person or company; neither a map nor a chat, whose address holds a number.
function isProfile(link: string, preset: string | undefined): boolean {
  const { numbers, webAddress } = contactOf(link);
  return webAddress?.startsWith('https:') === true && numbers.length === 0 && !NO_PROFILES.has(preset);
}
