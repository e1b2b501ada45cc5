import type { OpenGraph, PageContent } from '@smartlink/smartlink/snapshot';
import type { Page } from '../reply.js';
import { markup } from './html.js';
import { hostedLayout } from './layout.js';
import { buttonList, byPosition, firstVisible, heading, image, paragraph } from './owner-content.js';

// Pages whose matter is a list of buttons. Colours, layouts, button presets and the saving of contacts (and with it a
// card's ctaText) are not drawn yet.

type PageOf<Type extends PageContent['type']> = Extract<PageContent, { type: Type }>['page'];

/** Returns the page of a Landing. */
export function landingPage(content: PageOf<'Landing'>, openGraph: OpenGraph | undefined): Page {
  const { landing, landingButtons } = content;
  const title = firstVisible(landing.title, openGraph?.title, 'Links');
  const main = markup`${heading({ ...landing, title })}
${buttonList(landingButtons ?? [])}`;
  return hostedLayout({ title, main });
}

/** Returns the page of a QRTag, its buttons by position. */
export function qrTagPage(content: PageOf<'QRTag'>, openGraph: OpenGraph | undefined): Page {
  const { qrTag, qrTagButtons } = content;
  const title = firstVisible(qrTag.title, openGraph?.title, 'Links');
  const main = markup`${heading({ ...qrTag, title })}
${buttonList(byPosition(qrTagButtons ?? []))}`;
  return hostedLayout({ title, main });
}

/** Returns the page of a DigiCard: who it is, then how to reach them. */
export function digiCardPage(content: PageOf<'DigiCard'>, openGraph: OpenGraph | undefined): Page {
  const { digiCard, digiCardButtons } = content;
  const title = firstVisible(digiCard.title, openGraph?.title, digiCard.company, 'Card');
  const main = markup`${image(digiCard.bgLink, 'photo')}${heading({ title, logoLink: digiCard.logoLink })}
${paragraph(digiCard.jobTitle)}${paragraph(digiCard.company)}${buttonList(digiCardButtons ?? [])}`;
  return hostedLayout({ title, main });
}
