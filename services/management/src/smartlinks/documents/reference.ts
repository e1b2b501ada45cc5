import { z } from 'zod';
import { anyTypeShape, check, documentSchemas } from '@smartlink/smartlink/document';
import { SMARTLINK_TYPES, type SmartlinkType } from '@smartlink/smartlink/model';
import { toParts } from '@smartlink/smartlink/store';
import { NO_TOTALS } from '@smartlink/visits/analytics';
import { type DataExample, EXAMPLE_ID, EXAMPLE_TIME, EXAMPLE_USER_ID, onFirstCall } from '../../operation.js';
import { patchShape } from '../../schema-shapes.js';
import { patchBodySchema, tagChangesSchema } from './patches.js';
import { smartlinkSchema, summarySchema, toSmartlink } from './smartlink-view.js';

type Schemas = ReturnType<typeof documentSchemas>;

export type Reference = ReturnType<typeof createReference>;

/**
 * Schemas and examples for the API reference, made once each, so that the operations refer to the same components.
 * Examples of `relink` begin with `publicBaseUrl`.
 */
export function createReference(publicBaseUrl: string) {
  const documents = onFirstCall(() => documentSchemas({ publicBaseUrl, passwordRequired: true }));
  const smartlink = onFirstCall(() => smartlinkSchema(documents()));
  return {
    createBody: onFirstCall(() => createBodySchema(documents())),
    patchBody: onFirstCall(() => patchSchema(documents())),
    smartlink,
    summary: onFirstCall(() => summarySchema(smartlink())),
    /** By type: the answer to its create example, with `message`. */
    examples: (message: string) => smartlinkExamples(documents(), publicBaseUrl, message),
  };
}

const utmTemplateId = () =>
  z.string().nullish().meta({
    description: 'UTM template whose `utm` is copied; members of the own `utm` override its.',
  });

function createBodySchema(schemas: Schemas): z.ZodType {
  const documents = { ...schemas, Url: schemas.Url.extend({ utmTemplateId: utmTemplateId() }) };
  const [first, ...rest] = SMARTLINK_TYPES.map((type) => documents[type].meta({ id: `${type}Create` }));
  if (first === undefined) throw new Error('There are types');
  return z.union([first, ...rest]).meta({
    id: 'SmartlinkCreate',
    description:
      'The content of a smartlink. `configuration.smartlinkType` says which of the seven types it is; OpenAPI’s ' +
      '`discriminator` cannot express that, since it only reads top-level members.',
  });
}

/** The members of all seven types: those of other types are ignored. */
function patchSchema(schemas: Schemas): z.ZodType {
  const { configuration, ...members } = anyTypeShape(schemas);
  const { smartlinkUrl } = configuration.shape;
  return z
    .looseObject({
      id: patchBodySchema.shape.id,
      // Every smartlink has an address, so it cannot be cleared.
      configuration: (patchShape(configuration) as z.ZodObject)
        .extend({ smartlinkUrl: patchShape(smartlinkUrl).optional() })
        .optional(),
      ...(patchShape(z.object(members)) as z.ZodObject).shape,
      ...(patchShape(tagChangesSchema) as z.ZodObject).shape,
    })
    .meta({ id: 'SmartlinkUpdate' });
}

/** A create for each type; forms begin with the first one. */
export const CREATE_EXAMPLES = {
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
      appearance: { buttonStyle: 'outline', background: 'gradient' },
      tags: ['campaign', 'Spring'],
      notes: 'Printed on the posters of March.',
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
    summary: 'TxtBin: a shared text, for a time and a number of visits',
    value: {
      configuration: { smartlinkName: 'Install script', smartlinkType: 'TxtBin' },
      txtBin: { title: 'install.sh', text: '#!/bin/sh\nset -eu\necho "hello"\n' },
      availability: { expiresAt: '2099-12-31T20:00:00.000Z', maxVisits: 100 },
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

/** Changes to the Landing of CREATE_EXAMPLES. */
export const PATCH_EXAMPLES = {
  rename: {
    summary: 'Change the name and the address; the old address still works',
    value: { id: EXAMPLE_ID, configuration: { smartlinkName: 'Spring 2026', smartlinkUrl: 'Spring2026' } },
  },
  replaceButtons: {
    summary: 'Replace all buttons',
    value: { id: EXAMPLE_ID, landingButtons: [{ title: 'Shop', link: 'https://shop.example.com/sale' }] },
  },
  tag: {
    summary: 'Add one tag and remove another; archive',
    value: { id: EXAMPLE_ID, addTags: ['spring 2026'], removeTags: ['draft'], archived: true },
  },
  clearFields: {
    summary: 'Clear a field with null, the buttons with an empty array',
    value: { id: EXAMPLE_ID, landing: { themeColor: null }, landingButtons: [] },
  },
} as const;

/** Made by the code that makes the answers. Throws if `schemas` refuse an example. */
function smartlinkExamples(
  schemas: Schemas,
  publicBaseUrl: string,
  message: string,
): Record<SmartlinkType, DataExample> {
  const examples = (Object.keys(CREATE_EXAMPLES) as SmartlinkType[]).map((type) => {
    const { summary, value } = CREATE_EXAMPLES[type];
    const data = exampleAnswer(schemas, type, value, publicBaseUrl);
    return [type, { summary, message, data }] as const;
  });
  return Object.fromEntries(examples) as Record<SmartlinkType, DataExample>;
}

function exampleAnswer(schemas: Schemas, type: SmartlinkType, value: object, publicBaseUrl: string): object {
  const checked = check(schemas[type], value);
  if (!checked.ok)
    throw new Error(`BUG: the example of ${type} is refused: ${JSON.stringify(checked.faults)}`);
  const parts = toParts(checked.value);
  return toSmartlink(
    {
      id: EXAMPLE_ID,
      user_id: EXAMPLE_USER_ID,
      status: 'Active',
      type,
      name: parts.name,
      slug: parts.slug ?? 'k7m2pq',
      domain_number: null,
      domain: null,
      open_graph: parts.openGraph,
      appearance: parts.appearance ?? null,
      utm: parts.utm ?? null,
      redirect: parts.redirect ?? null,
      routing: parts.routing,
      availability: parts.availability,
      visits_used: parts.availability?.maxVisits === undefined ? null : 0,
      content: { [type]: parts.content },
      password_hash: null,
      password_version: 0,
      version: '1',
      pause_reason: null,
      imported_addresses: null,
      tags: parts.metadata.tags.length === 0 ? null : parts.metadata.tags,
      folder_id: parts.metadata.folderId,
      notes: parts.metadata.notes,
      archived_at: null,
      external_id: parts.metadata.externalId,
      created_by: null,
      created_at: new Date(EXAMPLE_TIME),
      updated_at: new Date(EXAMPLE_TIME),
    },
    NO_TOTALS,
    publicBaseUrl,
  );
}

export const SLUG_TAKEN_EXAMPLE = {
  smartlinkUrlTaken: {
    summary: 'The address belongs to another user',
    details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
  },
};

export const EXTERNAL_ID_TAKEN_EXAMPLE = {
  externalIdTaken: {
    summary: 'Another smartlink of the account has the external id',
    details: [{ path: 'externalId', message: 'Is already taken' }],
  },
};

/** UNSAFE_URL with the URL at `path`. */
export const unsafeUrlExample = (path: string) => ({
  unsafeUrl: { summary: 'A malicious URL', details: [{ path, message: 'URL was judged unsafe' }] },
});
