import { toNumber } from './numbers.js';

/** Conditions of a rule, in the order of the form. */
export const CONDITIONS = [
  'countries',
  'languages',
  'devices',
  'systems',
  'browsers',
  'sources',
  'referrers',
  'query',
  'from',
  'until',
  'weekly',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export const EMPTY_PARAMETER = { name: '', match: 'any' as 'any' | 'exact', value: '' };
/** `id` is assigned by the service. */
export const EMPTY_SHARE = { id: '', weight: '1', url: '' };

export const EMPTY_RULE = {
  id: '',
  name: '',
  /** Not in the API: which of `url` and `variants` is written. */
  target: 'url' as 'url' | 'variants',
  url: '',
  variants: [] as (typeof EMPTY_SHARE)[],
  /** Not in the API: the conditions written. */
  conditions: [] as Condition[],
  when: {
    countries: [] as string[],
    languages: [] as string[],
    devices: [] as string[],
    systems: [] as string[],
    browsers: [] as string[],
    sources: [] as string[],
    referrers: [] as string[],
    query: [] as (typeof EMPTY_PARAMETER)[],
    from: '',
    until: '',
    weekly: { timeZone: '', days: [] as string[], from: '', to: '' },
  },
};
export type Rule = typeof EMPTY_RULE;

/** `sticky` empty: the default. */
export const EMPTY_ROUTING = { rules: [] as Rule[], variants: [] as (typeof EMPTY_SHARE)[], sticky: '' };
type Routing = typeof EMPTY_ROUTING;

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members => (value ?? {}) as Members;
const listOf = (value: unknown): readonly Members[] => (value ?? []) as readonly Members[];
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export function toRouting(given: unknown): Routing {
  const { rules, variants, sticky } = membersOf(given);
  return {
    rules: listOf(rules).map(toRule),
    variants: listOf(variants).map(toShare),
    sticky: textOf(sticky),
  };
}

function toRule({ id, name, url, variants, when }: Members): Rule {
  const given = membersOf(when);
  const { query, weekly, ...others } = given;
  return {
    ...EMPTY_RULE,
    id: textOf(id),
    name: textOf(name),
    target: variants === undefined ? 'url' : 'variants',
    url: textOf(url),
    variants: listOf(variants).map(toShare),
    conditions: CONDITIONS.filter((condition) => given[condition] !== undefined),
    when: {
      ...EMPTY_RULE.when,
      ...others,
      query: listOf(query).map(({ name: parameter, value }) => ({
        name: textOf(parameter),
        match: value === undefined ? 'any' : 'exact',
        value: textOf(value),
      })),
      weekly: { ...EMPTY_RULE.when.weekly, ...membersOf(weekly) },
    },
  };
}

const toShare = ({ id, weight, url }: Members): typeof EMPTY_SHARE => ({
  id: textOf(id),
  weight: textOf(weight),
  url: textOf(url),
});

/** The body of an update; without rules and variants it clears both. */
export function routingBody({ rules, variants, sticky }: Routing): Members {
  const isUsed = rules.length > 0 || variants.length > 0;
  return {
    rules: rules.map(ruleBody),
    variants: variants.map(shareBody),
    sticky: isUsed && sticky !== '' ? sticky : null,
  };
}

function ruleBody({ id, name, target, url, variants, conditions, when }: Rule): Members {
  return {
    ...withoutEmpty({ id, name }),
    ...(target === 'url' ? { url: url.trim() } : { variants: variants.map(shareBody) }),
    when: Object.fromEntries(conditions.map((condition) => [condition, conditionBody(when, condition)])),
  };
}

function conditionBody(when: Rule['when'], condition: Condition): unknown {
  if (condition !== 'query') return when[condition] === '' ? null : when[condition];
  return when.query.map(({ name, match, value }) => (match === 'any' ? { name } : { name, value }));
}

function shareBody({ id, weight, url }: typeof EMPTY_SHARE): Members {
  return { ...withoutEmpty({ id, url: url.trim() }), weight: toNumber(weight) };
}

const withoutEmpty = (texts: Readonly<Record<string, string>>): Members =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** The share of each weight, from 0 to 1; null for an invalid one. */
export function sharesOf(weights: readonly string[]): readonly (number | null)[] {
  const numbers = weights.map((weight) => (/^[1-9]\d{0,3}$/.test(weight.trim()) ? Number(weight) : null));
  const sum = numbers.reduce<number>((total, weight) => total + (weight ?? 0), 0);
  return numbers.map((weight) => (weight === null ? null : weight / sum));
}
