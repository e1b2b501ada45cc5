import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type { DestinationRules } from './destinations.js';
import {
  choice,
  destination,
  isReversed,
  list,
  moment,
  mustBe,
  oneLineText,
  optional,
  textWithin,
  untilFaultsMax,
} from './fields.js';
import { findTimeZone, isObject, WEEKDAYS } from './model.js';
import {
  BROWSERS,
  DEVICES,
  isCountryCode,
  SYSTEMS,
  UNKNOWN_COUNTRY,
  VISIT_SOURCES,
} from './visitor-names.js';

const RULES_MAX = 20;
const VARIANTS_MIN = 2;
const VARIANTS_MAX = 10;
const VALUES_MAX = 50;
const WEIGHT_MAX = 1_000;
/** Of a smartlink's rules and variants as JSON, in UTF-8. */
const ROUTING_BYTES_MAX = 16 * 1024;
const NAME_LENGTH_MAX = 64;
const PARAMETER_LENGTH_MAX = 64;
const PARAMETER_VALUE_LENGTH_MAX = 128;

/** Where visitors go by who and when they are: `routing` of a smartlink of any type. */
export function routingSchema(rules: DestinationRules) {
  return z
    .object(
      {
        rules: clearableList(rule(rules), RULES_MAX).meta({
          description: 'The first rule that fits decides.',
        }),
        variants: variantList(rules).meta({ description: 'Destinations of visitors that no rule fits.' }),
        sticky: optional(
          choice(['visitor', 'none']).meta({
            description:
              'With `visitor`, the default, a visitor gets the same variant for a day, without a cookie. With `none`, and ' +
              'for visitors that ask not to be recognised, each visit draws one.',
          }),
        ),
      },
      mustBe('an object'),
    )
    .superRefine((routing, context) => {
      for (const path of repeatedIds(routing)) {
        context.addIssue({ code: 'custom', path, message: 'Must be unique in the smartlink' });
      }
    }, BESIDE_OTHER_FAULTS)
    .refine(
      (routing) => Buffer.byteLength(JSON.stringify(routing)) <= ROUTING_BYTES_MAX,
      'Must be at most 16 KiB',
    )
    .meta({
      description:
        'Rules that lead visitors elsewhere, and variants among which they are split. Stored in at most 16 KiB. Decided ' +
        'after status and password, before the stores of an App. No rule can tell bots from people.',
    });
}

// Every fault is listed at once.
const BESIDE_OTHER_FAULTS = { when: ({ value }: { readonly value: unknown }) => isObject(value) };

function clearableList<Schema extends z.ZodType>(element: Schema, lengthMax: number) {
  return optional(list(element, lengthMax)).transform((values) =>
    values === undefined || values.length === 0 ? undefined : values,
  );
}

function rule(rules: DestinationRules) {
  return z
    .object(
      {
        id: optional(id()),
        name: optional(
          oneLineText(NAME_LENGTH_MAX, 'required').meta({ description: 'Visitors do not see it.' }),
        ),
        url: optional(destination(rules)),
        variants: variantList(rules),
        when: conditions(),
      },
      mustBe('an object'),
    )
    .refine(
      ({ url, variants }: { url?: unknown; variants?: unknown }) => isGiven(url) !== isGiven(variants),
      { message: 'Must have exactly one of url and variants', ...BESIDE_OTHER_FAULTS },
    );
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

function variantList(rules: DestinationRules) {
  return clearableList(variant(rules), VARIANTS_MAX)
    .refine((variants) => variants?.length !== 1, `Must have at least ${VARIANTS_MIN} elements`)
    .superRefine((variants, context) => {
      if (!Array.isArray(variants)) return;
      const bare = variants.flatMap((one: unknown, i) => (isObject(one) && !isGiven(one['url']) ? [i] : []));
      for (const i of bare.slice(1)) {
        context.addIssue({ code: 'custom', path: [i, 'url'], message: 'Required in all variants but one' });
      }
    }, BESIDE_FAULTS_OF_ELEMENTS);
}

const BESIDE_FAULTS_OF_ELEMENTS = {
  when: ({ value }: { readonly value: unknown }) => Array.isArray(value),
};

function variant(rules: DestinationRules) {
  return z.object(
    {
      id: optional(id()),
      weight: z
        .int(mustBe('a whole number'))
        .min(1, `Must be a whole number from 1 to ${WEIGHT_MAX}`)
        .max(WEIGHT_MAX, `Must be a whole number from 1 to ${WEIGHT_MAX}`)
        .meta({ description: 'Its share is its weight among those of all variants.' }),
      url: optional(
        destination(rules).meta({
          description: 'Left out in at most one variant: the smartlink’s own answer.',
        }),
      ),
    },
    mustBe('an object'),
  );
}

function id() {
  return z
    .string(mustBe('a string'))
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'Must be 1 to 32 latin letters, digits, hyphens and underscores')
    .meta({ description: 'Unique in the smartlink, and its name in statistics; assigned when left out.' });
}

/** All of them must fit; of a list one value. An unknown one is a fault: ignored, the rule would fit more visitors. */
function conditions() {
  return strict(
    {
      countries: values(
        country().meta({ description: 'ISO 3166-1 alpha-2 in any case; `XX` is an unknown country.' }),
      ),
      languages: values(
        language().meta({ description: '`de` fits `de-AT` too, `pt-BR` itself alone.', example: 'de' }),
      ),
      devices: values(choice(DEVICES)),
      systems: values(choice(SYSTEMS)),
      browsers: values(choice(BROWSERS)),
      sources: values(choice(VISIT_SOURCES)),
      referrers: values(
        referrer().meta({ description: 'A host with all below it, or `direct`: no referrer.' }),
      ),
      query: values(parameter()),
      from: optional(moment().meta({ description: 'Fits from this time on.', format: 'date-time' })),
      until: optional(moment().meta({ description: 'Fits before this time.', format: 'date-time' })),
      weekly: optional(weekly()),
    },
    'Required',
  )
    .refine((when) => Object.values(when).some(isGiven), {
      message: 'Must have at least one condition',
      ...BESIDE_OTHER_FAULTS,
    })
    .refine(({ from, until }: { from?: unknown; until?: unknown }) => !isReversed(from, until), {
      path: ['until'],
      message: 'Must be after from',
      ...BESIDE_OTHER_FAULTS,
    });
}

/** An object in which every unknown member is a fault. */
function strict<Shape extends z.ZodRawShape>(shape: Shape, missing?: string) {
  const schema = z
    .object(shape, mustBe('an object', missing))
    .catchall(untilFaultsMax(z.unknown().refine(() => false, 'Unknown condition')))
    .meta({ additionalProperties: false });
  // No accepted object has another member.
  return schema as unknown as z.ZodObject<Shape>;
}

function values<Schema extends z.ZodType>(element: Schema) {
  return clearableList(element, VALUES_MAX);
}

/** A text that `read` understands, in the form it returns. */
function readable(read: (text: string) => string | null, message: string) {
  return z.string(mustBe('a string')).transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function country() {
  return readable((text) => {
    // ASCII only: an `ı` would become an I.
    const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';
    return code === UNKNOWN_COUNTRY || isCountryCode(code) ? code : null;
  }, 'Must be an ISO 3166-1 alpha-2 country code');
}

/** In the form in which visits record it. */
function language() {
  return readable((text) => {
    const [, primary, region] = /^([A-Za-z]{2,3})(?:-([A-Za-z]{2}|\d{3}))?$/.exec(text) ?? [];
    if (primary === undefined) return null;
    return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
  }, 'Must be a language such as de or pt-BR');
}

const HOST = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d_-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

function referrer() {
  return readable((text) => {
    if (text === 'direct') return text;
    const host = domainToASCII(text.endsWith('.') ? text.slice(0, -1) : text);
    return HOST.test(host) ? host : null;
  }, 'Must be a host name or direct');
}

function parameter() {
  return strict({
    name: textWithin(PARAMETER_LENGTH_MAX, 'required'),
    value: optional(textWithin(PARAMETER_VALUE_LENGTH_MAX).meta({ description: 'Left out: any value.' })),
  });
}

function weekly() {
  return strict({
    timeZone: readable(findTimeZone, 'Must be an IANA time zone').meta({
      description: 'IANA time zone.',
      example: 'Asia/Baku',
    }),
    days: list(choice(WEEKDAYS), VALUES_MAX)
      .refine((days) => days.length > 0, 'Must not be empty')
      .transform((days) => WEEKDAYS.filter((day) => days.includes(day))),
    from: clock(),
    to: clock().meta({
      description: 'At or before `from`: past midnight, and of the day on which it began.',
      example: '02:00',
    }),
  }).meta({ description: 'Hours of the week.' });
}

function clock() {
  return z
    .string(mustBe('a string'))
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 18:00')
    .meta({ example: '18:00' });
}

type CheckedRouting = z.output<ReturnType<typeof routingSchema>>;

/** The paths of ids that an earlier rule or variant has. */
function repeatedIds(routing: unknown): (string | number)[][] {
  const seen = new Set<unknown>();
  const repeated: (string | number)[][] = [];
  const note = (one: unknown, path: readonly (string | number)[]): void => {
    if (!isObject(one) || typeof one['id'] !== 'string') return;
    if (seen.has(one['id'])) repeated.push([...path, 'id']);
    seen.add(one['id']);
  };
  const noteAll = (owner: unknown, path: readonly (string | number)[]): void => {
    const variants: unknown = isObject(owner) ? owner['variants'] : undefined;
    if (!Array.isArray(variants)) return;
    for (const [i, one] of variants.entries()) note(one, [...path, 'variants', i]);
  };
  const rules: unknown = isObject(routing) ? routing['rules'] : undefined;
  if (Array.isArray(rules)) {
    rules.forEach((one, i) => {
      note(one, ['rules', i]);
      noteAll(one, ['rules', i]);
    });
  }
  noteAll(routing, []);
  return repeated;
}

type CheckedRule = NonNullable<CheckedRouting['rules']>[number];
type CheckedVariant = NonNullable<CheckedRouting['variants']>[number];

/** Checked values as they are stored: unset members are left out. */
type Stored<Value> = Value extends readonly (infer Element)[]
  ? readonly Stored<Element>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Stored<Value[Name]>;
      } & {
        readonly [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Stored<
          Exclude<Value[Name], undefined>
        >;
      }
    : Value;

/** It has rules or variants, all with ids. */
export type Routing = Omit<Stored<CheckedRouting>, 'rules' | 'variants'> & {
  readonly rules?: readonly RoutingRule[];
  readonly variants?: readonly RoutingVariant[];
};
export type RoutingRule = Omit<Stored<CheckedRule>, 'id' | 'variants'> & {
  readonly id: string;
  readonly variants?: readonly RoutingVariant[];
};
export type RoutingVariant = Omit<Stored<CheckedVariant>, 'id'> & { readonly id: string };
export type RoutingConditions = RoutingRule['when'];

/**
 * Checked routing with all ids; undefined without rules and variants. An assigned id follows from what it is the id of: the
 * same rule sent again has the same, and another rule never continues its statistics.
 */
export function withIds(routing: CheckedRouting | undefined): object | undefined {
  const { rules, variants, sticky } = routing ?? {};
  if (rules === undefined && variants === undefined) return undefined;
  const taken = new Set(
    [...(rules ?? []), ...(rules ?? []).flatMap((one) => one.variants ?? []), ...(variants ?? [])].map(
      (one) => one.id,
    ),
  );
  const nameAll = (owner: string, all: readonly CheckedVariant[] | undefined) =>
    all?.map(({ id: given, ...variant }) => ({
      id: given ?? assignId(taken, [owner, variant.url ?? '']),
      ...variant,
    }));
  const named = rules?.map(({ id: given, name, variants: split, ...one }) => {
    const ruleId = given ?? assignId(taken, [one.url ?? '', one.when]);
    return { id: ruleId, name, ...one, variants: nameAll(ruleId, split) };
  });
  return { rules: named, variants: nameAll('', variants), sticky };
}

const ID_LENGTH = 8;

function assignId(taken: Set<string | undefined>, content: unknown): string {
  const text = JSON.stringify(content);
  for (let round = 0; ; round += 1) {
    const found = createHash('sha256').update(`${round} ${text}`).digest('base64url').slice(0, ID_LENGTH);
    if (taken.has(found)) continue;
    taken.add(found);
    return found;
  }
}
