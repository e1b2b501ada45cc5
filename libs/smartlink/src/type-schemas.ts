import { z } from 'zod';
import {
  commonMembers,
  commonShape,
  type DocumentOptions,
  type SchemaOptions,
  smartlinkType,
} from './common-members.js';
import {
  appearance,
  buttonLink,
  choice,
  destination,
  finiteNumber,
  flag,
  hexColor,
  list,
  member,
  multiLineText,
  numberFromZero,
  oneLineText,
  optional,
  pageLink,
  password,
  snippetText,
  utm,
  withDefault,
} from './fields.js';
import {
  SMARTLINK_TYPES,
  type SmartlinkType,
  STORE_LINK_NAMES,
  STORE_LINKS,
  type StoreLinkName,
} from './model.js';
import { redirectOptions, withoutLastingRedirect } from './redirect-options.js';

/** A smartlink as a client writes it, checked, with defaults filled in. The keys are the API's own. */
export type SmartlinkDocument = z.output<ReturnType<typeof documentSchemas>[SmartlinkType]>;

/** A checked smartlink of one type. */
export type DocumentOf<Type extends SmartlinkType> = z.output<ReturnType<typeof documentSchemas>[Type]>;

/**
 * The schema of each type's whole document, for a POST and for a merged PATCH. Members that a schema does not name,
 * including other types' content, are dropped at every depth. `common`: built by an earlier call with the same rules.
 */
export function documentSchemas(
  given: DocumentOptions,
  common: ReturnType<typeof commonMembers> = commonMembers(given),
) {
  const options = { ...given, common };
  return {
    App: appSchema(options),
    Url: urlSchema(options),
    Landing: landingSchema(options),
    QRTag: qrTagSchema(options),
    DigiCard: digiCardSchema(options),
    TxtBin: txtBinSchema(options),
    QrMenu: qrMenuSchema(options),
  } satisfies Record<SmartlinkType, z.ZodObject>;
}

/** The members of all types, each as its own type has it. */
export function anyTypeShape(schemas: ReturnType<typeof documentSchemas>) {
  const { configuration } = schemas.App.shape;
  return {
    ...schemas.Url.shape,
    ...schemas.Landing.shape,
    ...schemas.QRTag.shape,
    ...schemas.DigiCard.shape,
    ...schemas.TxtBin.shape,
    ...schemas.QrMenu.shape,
    // An App's has the members of all others'.
    configuration: configuration.extend({ smartlinkType: smartlinkType(SMARTLINK_TYPES) }),
  };
}

// Fields common to hosted pages.

export const BUTTONS_MAX = 100;
/** In code points. */
export const BUTTON_TITLE_LENGTH_MAX = 256;

/** The colour of a page. */
export function themeColor() {
  return hexColor().meta({
    description:
      'The colour of buttons, from which the tint of the page is derived: `#` and 3, 4, 6 or 8 hexadecimal digits. Texts ' +
      'on it are black or white, whichever is legible.',
  });
}

/** The arrangement of a page. */
export function layout() {
  return choice(['List', 'Grid']).meta({ description: 'A list, or tiles side by side.' });
}

/** The scheme of a page's colours. */
export function theme() {
  return choice(['Light', 'Dark', 'Auto']).meta({
    description: 'Light, dark, or by the setting of the visitor’s device.',
  });
}

/** Purpose of a button, one of `values`. */
export function buttonPreset<const Values extends readonly [string, ...string[]]>(values: Values) {
  return choice(values).meta({
    description: 'Purpose of the button, which decides its icon; by default the scheme of the link decides.',
  });
}

/** Url: the shortener, with a password if it is protected. */
function urlSchema(options: SchemaOptions) {
  const document = z.object({
    ...commonShape(options, ['Url']),
    shortener: shortenerSchema(options),
    utm: optional(
      utm().meta({
        description:
          'Campaign parameters that visitors take to the destination. They replace parameters of the same name in ' +
          '`shortener.url`; parameters of the visitor replace both.',
      }),
    ),
    redirect: optional(redirectOptions()),
  });
  return withoutLastingRedirect(document);
}

function shortenerSchema(options: DocumentOptions) {
  return member({
    url: destination(options).meta({
      description:
        'Destination of visitors: an http or https address with a public host other than that of this service.',
    }),
    protected: withDefault(flag(), false).meta({
      description: 'Whether visitors are asked for the password.',
    }),
    password: optional(password()),
  }).refine(
    // Unknown, because it runs beside other faults: `protected: "yes"` is one fault and asks for no password.
    ({ protected: isProtected, password: given }: { protected: unknown; password?: unknown }) =>
      !options.passwordRequired || isProtected !== true || (given !== undefined && given !== null),
    {
      path: ['password'],
      message: 'Required when protected is true',
      // Runs beside other faults of the same object too: every fault is listed at once.
      when: ({ value }) => typeof value === 'object' && value !== null,
    },
  );
}

/** App: the stores are in `configuration`, beside the members of every type. */
function appSchema(options: SchemaOptions) {
  const common = commonShape(options, ['App']);
  const storeLink = (description: string) => optional(destination(options).meta({ description }));
  const storeLinks = Object.fromEntries(
    STORE_LINK_NAMES.map((name) => [name, storeLink(STORE_LINKS[name])]),
  ) as Record<StoreLinkName, ReturnType<typeof storeLink>>;
  const document = z.object({
    ...common,
    configuration: common.configuration.extend(storeLinks),
    redirect: optional(redirectOptions()),
  });
  return withoutLastingRedirect(document);
}

/** Landing: a page with action buttons. */
function landingSchema(options: SchemaOptions) {
  return z.object({
    ...commonShape(options, ['Landing']),
    landing: member({
      title: optional(oneLineText(128)),
      description: optional(multiLineText(256)),
      logoLink: optional(pageLink(options)),
      themeColor: optional(themeColor()),
      layout: withDefault(layout(), 'List'),
      theme: withDefault(theme(), 'Auto'),
    }),
    landingButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto']),
          iconUrl: optional(pageLink(options)),
        }),
        BUTTONS_MAX,
      ),
    ),
    appearance: optional(appearance()),
  });
}

const QR_TAG_PRESETS = ['link', 'restaurant', 'delivery', 'phone', 'email', 'calendar', 'social'] as const;

/** QRTag: a page behind a printed code, with preset-labelled buttons. */
function qrTagSchema(options: SchemaOptions) {
  return z.object({
    ...commonShape(options, ['QRTag']),
    qrTag: member({
      title: optional(oneLineText(256)),
      description: optional(multiLineText(256)),
      logoLink: optional(pageLink(options)),
      themeColor: optional(themeColor()),
    }),
    qrTagButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto', 'sms', 'geo', 'whatsapp']),
          preset: optional(buttonPreset(QR_TAG_PRESETS)),
          position: optional(
            numberFromZero(Number.MAX_VALUE).meta({
              description: 'Shown in ascending order; elements without it come last.',
            }),
          ),
        }),
        BUTTONS_MAX,
      ),
    ),
    appearance: optional(appearance()),
  });
}

const CARD_PRESETS = [
  'phone',
  'email',
  'website',
  'location',
  'calendar',
  'social',
  'whatsapp',
  'link',
] as const;

/** DigiCard: a business card with contact buttons. */
function digiCardSchema(options: SchemaOptions) {
  return z.object({
    ...commonShape(options, ['DigiCard']),
    digiCard: member({
      title: optional(oneLineText(256)),
      jobTitle: optional(oneLineText(128)),
      company: optional(oneLineText(128)),
      logoLink: optional(pageLink(options)),
      bgLink: optional(pageLink(options).meta({ description: 'The picture behind the card.' })),
      ctaText: optional(
        oneLineText(32).meta({
          description: 'Words on the button that saves the contact; by default in the visitor’s language.',
        }),
      ),
      themeColor: optional(themeColor()),
    }),
    digiCardButtons: optional(
      list(
        member({
          title: oneLineText(BUTTON_TITLE_LENGTH_MAX, 'required'),
          link: buttonLink(options, ['tel', 'mailto', 'sms', 'geo', 'whatsapp']),
          preset: optional(buttonPreset(CARD_PRESETS)),
        }),
        BUTTONS_MAX,
      ),
    ),
    appearance: optional(appearance()),
  });
}

const CATEGORIES_MAX = 100;
const ITEMS_MAX = 500;
const VARIANTS_MAX = 20;
const BADGES_MAX = 20;
const BADGE_LENGTH_MAX = 32;
const PRICE_MAX = 1e12;

/** QrMenu: a restaurant's menu of categories, items and their sizes. */
function qrMenuSchema(options: SchemaOptions) {
  return z.object({
    ...commonShape(options, ['QrMenu']),
    qrMenu: member({
      title: optional(oneLineText(128)),
      description: optional(multiLineText(256)),
      logoLink: optional(pageLink(options)),
      coverLink: optional(pageLink(options)),
      themeColor: optional(themeColor()),
      theme: optional(theme()),
      layout: optional(layout()),
      currency: withDefault(oneLineText(8), '₼').meta({ description: 'Currency shown beside prices.' }),
      categories: withDefault(list(categorySchema(options), CATEGORIES_MAX), []),
      footnote: optional(
        oneLineText(200).meta({
          description:
            'The line below the menu, in place of the fixed one about allergies. Empty: no line. Left out: the fixed one.',
        }),
      ),
    }),
    appearance: optional(appearance()),
  });
}

function categorySchema(options: DocumentOptions) {
  return member({
    name: oneLineText(64, 'required'),
    position: position(),
    items: withDefault(list(itemSchema(options), ITEMS_MAX), []),
  });
}

function itemSchema(options: DocumentOptions) {
  return member({
    name: oneLineText(128, 'required'),
    description: optional(multiLineText(512)),
    price: numberFromZero(PRICE_MAX).meta({ description: 'With variants, the lowest price.' }),
    variants: optional(
      list(member({ label: oneLineText(64, 'required'), price: numberFromZero(PRICE_MAX) }), VARIANTS_MAX),
    ),
    imageLink: optional(pageLink(options)),
    badges: optional(list(oneLineText(BADGE_LENGTH_MAX, 'required'), BADGES_MAX)),
    position: position(),
    active: withDefault(flag(), true).meta({ description: 'Whether the menu shows it.' }),
  });
}

function position() {
  return optional(
    finiteNumber().meta({ description: 'Shown in ascending order; elements without it come last.' }),
  );
}

// In code points.
const TEXT_LENGTH_MAX = 100_000;

/** TxtBin: a shared text or code snippet, stored unchanged. */
function txtBinSchema(options: SchemaOptions) {
  return z.object({
    ...commonShape(options, ['TxtBin']),
    txtBin: member({
      title: optional(oneLineText(256)),
      description: optional(multiLineText(256)),
      text: snippetText(TEXT_LENGTH_MAX).meta({ description: 'Stored unchanged.' }),
    }),
  });
}
