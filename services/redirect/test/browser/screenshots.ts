import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { picturesInSight, wholeHeight } from './in-page.js';
import type { PageCase } from './page-cases.js';

/** Where pictures of pages are put. */
export type Gallery = {
  /** Writes a picture of the page as it stands, if this one is worth showing; `look` is its width and scheme. */
  readonly take: (page: Page, name: string, look: string) => Promise<void>;
  /** How many pictures were written. */
  readonly taken: () => number;
  /** Writes the page that shows them. Call it when all are taken. */
  readonly close: () => void;
};

// What says most of each kind. `npm test` takes the first of them alone.
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  Landing: ['landing', 'landing-icons', 'landing-grid'],
  QRTag: ['tag', 'tag-hebrew'],
  DigiCard: ['card', 'card-no-pictures', 'card-arabic'],
  QrMenu: ['menu', 'menuGrid', 'menuNoPhotos'],
  TxtBin: ['text', 'text-prose'],
  'App: stores': ['app', 'app-all', 'app-all-ipad-or-mac'],
  Password: ['link-protected', 'password-wrong'],
  'Preview and share': ['link-preview', 'link-share'],
  'What leads nowhere': ['not-found', 'gone', 'unavailable'],
};

// docs/pages has the first of each kind, in few looks: pictures weigh in a checkout.
const DOCS_LOOKS: Readonly<Record<string, readonly string[]>> = {
  landing: ['phone-light', 'desktop-light'],
  tag: ['phone-light'],
  card: ['phone-dark', 'desktop-dark'],
  menu: ['phone-light', 'desktop-light'],
  text: ['phone-light'],
  'app-all': ['phone-light'],
  'link-protected': ['phone-light'],
  'not-found': ['phone-light'],
};

/** The pages that say most of their kind. */
export const SHOWN_NAMES: ReadonlySet<string> = new Set(Object.values(SHOWN).flat());

/** Of each kind the first. */
export const FIRST_NAMES: ReadonlySet<string> = new Set(
  Object.values(SHOWN).flatMap(([first]) => first ?? []),
);

// Taller pages are cut: what comes below looks like what is above.
const HEIGHT_MAX = 1400;

/** Returns a gallery in `folder`: of a few pages, of those in docs/pages (GALLERY=docs), or of all (GALLERY=all). */
export function createGallery(folder: string, cases: readonly PageCase[]): Gallery {
  const size = process.env['GALLERY'] ?? 'few';
  const shown = new Set(namesFor(size, cases));
  let taken = 0;
  mkdirSync(folder, { recursive: true });
  if (size !== 'few')
    for (const old of readdirSync(folder)) if (old.endsWith('.png')) rmSync(path.join(folder, old));
  return {
    async take(page, name, look) {
      if (!shown.has(name) || (size === 'docs' && DOCS_LOOKS[name]?.includes(look) !== true)) return;
      const viewport = page.viewportSize()!;
      const height = Math.max(viewport.height, Math.min(await page.evaluate(wholeHeight), HEIGHT_MAX));
      await page.setViewportSize({ ...viewport, height });
      await page.evaluate(picturesInSight);
      await page.screenshot({ path: path.join(folder, `${name}-${look}.png`), animations: 'disabled' });
      await page.setViewportSize(viewport);
      taken += 1;
    },
    taken: () => taken,
    close() {
      if (size === 'docs') writeFileSync(path.join(folder, 'README.md'), readme());
    },
  };
}

function namesFor(size: string, cases: readonly PageCase[]): readonly string[] {
  if (size === 'all') return cases.map(({ name }) => name);
  const kinds = Object.values(SHOWN);
  return size === 'docs' ? Object.keys(DOCS_LOOKS) : kinds.slice(0, 2).map(([first]) => first!);
}

function readme(): string {
  const sections = Object.entries(SHOWN).flatMap(([kind, names]) => {
    const rows = names.flatMap((name) => {
      const cells = DOCS_LOOKS[name]?.map((look) => {
        const width = look.startsWith('phone') ? 180 : 320;
        return `<td><img src="${name}-${look}.png" width="${width}" alt="${name}, ${look}"></td>`;
      });
      return cells === undefined ? [] : [`<tr valign="top">${cells.join('')}</tr>`];
    });
    return rows.length === 0 ? [] : `## ${kind}\n\n<table>\n${rows.join('\n')}\n</table>\n`;
  });
  return `# What visitors see, in pictures\n\n${INTRODUCTION}\n\n${sections.join('\n')}`;
}

const INTRODUCTION =
  'Made by `npm run docs:pages` from the samples in [libs/pages/test/samples](../../libs/pages/test/samples), served by the real\n' +
  'service and drawn by Chromium at 390 × 844 and 1280 × 800; tall pages are cut. The pictures on the pages are made up. What\n' +
  'each page is: [What visitors see](../visitors.md).';
