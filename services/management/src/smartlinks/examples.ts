import { check } from '@smartlink/smartlink/validation';
import type { documentSchemas } from '@smartlink/smartlink/document';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import { EXAMPLE_ID, EXAMPLE_TIME, EXAMPLE_USER_ID } from '../envelope-schemas.js';
import type { DataExample } from '../operation.js';
import { toParts } from '@smartlink/smartlink-store/document-parts';
import { toSmartlink } from './smartlink-view.js';

/** A body that creates a smartlink, for each type. */
export const CREATE_EXAMPLES = {
  App: {
    summary: 'App: to the store of the visitor’s device',
    value: {
      configuration: {
        smartlinkName: 'Our app',
        smartlinkType: 'App',
        appStoreLink: 'https://apps.apple.com/app/id000000000',
        googlePlayLink: 'https://play.google.com/store/apps/details?id=com.example.app',
        fallBackLink: 'https://www.example.com/app',
      },
      openGraph: {
        title: 'Our app',
        description: 'For your phone',
        imageUrl: 'https://www.example.com/app.png',
      },
    },
  },
  Url: {
    summary: 'Url: a short address, here behind a password',
    value: {
      configuration: { smartlinkName: 'Handbook', smartlinkUrl: 'handbook', smartlinkType: 'Url' },
      shortener: {
        url: 'https://www.example.com/handbook?edition=3',
        protected: true,
        password: 'correct horse',
      },
    },
  },
  Landing: {
    summary: 'Landing: a page with buttons',
    value: {
      configuration: { smartlinkName: 'Spring campaign', smartlinkType: 'Landing' },
      landing: {
        title: 'Spring is here',
        description: 'Everything new in one place',
        logoLink: 'https://www.example.com/logo.png',
        themeColor: '#2f6f4f',
        layout: 'Grid',
      },
      landingButtons: [
        { title: 'Shop', link: 'https://shop.example.com/' },
        { title: 'Call us', link: 'tel:+994125550100', iconUrl: 'https://www.example.com/phone.png' },
      ],
    },
  },
  QRTag: {
    summary: 'QRTag: the page behind a printed code',
    value: {
      configuration: { smartlinkName: 'Table 4', smartlinkType: 'QRTag' },
      qrTag: { title: 'Welcome', description: 'Order from your table', themeColor: '#a33' },
      qrTagButtons: [
        { title: 'Menu', link: 'https://menu.example.com/', preset: 'restaurant', position: 1 },
        { title: 'Write to us', link: 'mailto:table@example.com', preset: 'email', position: 2 },
      ],
    },
  },
  DigiCard: {
    summary: 'DigiCard: a business card',
    value: {
      configuration: { smartlinkName: 'Leyla’s card', smartlinkType: 'DigiCard' },
      digiCard: {
        title: 'Leyla Aliyeva',
        jobTitle: 'Architect',
        company: 'Example Studio',
        ctaText: 'Save contact',
        themeColor: '#123456',
      },
      digiCardButtons: [
        { title: 'Call', link: 'tel:+994125550101', preset: 'phone' },
        { title: 'Website', link: 'https://www.example.com/', preset: 'website' },
      ],
    },
  },
  TxtBin: {
    summary: 'TxtBin: a shared text',
    value: {
      configuration: { smartlinkName: 'Install script', smartlinkType: 'TxtBin' },
      txtBin: { title: 'install.sh', text: '#!/bin/sh\nset -eu\necho "hello"\n' },
    },
  },
  QrMenu: {
    summary: 'QrMenu: a restaurant’s menu',
    value: {
      configuration: { smartlinkName: 'Lunch', smartlinkType: 'QrMenu' },
      qrMenu: {
        title: 'Lunch menu',
        theme: 'Auto',
        currency: '₼',
        categories: [
          {
            name: 'Soups',
            position: 1,
            items: [
              {
                name: 'Dovga',
                description: 'Yoghurt and herbs',
                price: 4.5,
                variants: [
                  { label: 'Small', price: 4.5 },
                  { label: 'Large', price: 6 },
                ],
                badges: ['vegetarian'],
              },
            ],
          },
        ],
      },
    },
  },
} as const satisfies Record<SmartlinkType, { summary: string; value: object }>;

/** Bodies that change the Landing of CREATE_EXAMPLES. */
export const PATCH_EXAMPLES = {
  rename: {
    summary: 'Rename, and give another address; the old one goes on leading here',
    value: { id: EXAMPLE_ID, configuration: { smartlinkName: 'Spring 2026', smartlinkUrl: 'Spring2026' } },
  },
  replaceButtons: {
    summary: 'Put other buttons in the place of all',
    value: { id: EXAMPLE_ID, landingButtons: [{ title: 'Shop', link: 'https://shop.example.com/sale' }] },
  },
  clearFields: {
    summary: 'Clear a field with null, the buttons with an empty array',
    value: { id: EXAMPLE_ID, landing: { themeColor: null }, landingButtons: [] },
  },
} as const;

/**
 * Returns, for each type, the answer that its create example gets, made by the code that makes the answers. Throws if
 * `schemas` refuse an example.
 */
export function smartlinkExamples(
  schemas: ReturnType<typeof documentSchemas>,
  publicBaseUrl: string,
  message: string,
): Record<SmartlinkType, DataExample> {
  const examples = SMARTLINK_TYPES.map((type) => {
    const { summary, value } = CREATE_EXAMPLES[type];
    const data = exampleAnswer(schemas, type, value, publicBaseUrl);
    return [type, { summary, message, data }] as const;
  });
  return Object.fromEntries(examples) as Record<SmartlinkType, DataExample>;
}

function exampleAnswer(
  schemas: ReturnType<typeof documentSchemas>,
  type: SmartlinkType,
  value: object,
  publicBaseUrl: string,
): object {
  const checked = check(schemas[type], value);
  if (!checked.ok) throw new Error(`The example of ${type} is refused: ${JSON.stringify(checked.faults)}`);
  const parts = toParts(checked.value);
  return toSmartlink(
    {
      id: EXAMPLE_ID,
      user_id: EXAMPLE_USER_ID,
      status: 'Active',
      type,
      name: parts.name,
      slug: parts.slug ?? 'k7m2pq',
      open_graph: parts.openGraph,
      content: { [type]: parts.content },
      password_hash: null,
      password_version: 0,
      version: '1',
      pause_reason: null,
      created_at: new Date(EXAMPLE_TIME),
      updated_at: new Date(EXAMPLE_TIME),
    },
    NO_TOTALS,
    publicBaseUrl,
  );
}
