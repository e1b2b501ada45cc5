import type { Routing, RoutingConditions, RoutingVariant } from '@smartlink/smartlink/document';
import type { VisitSource } from '../event.js';
import type { Redirect } from './decision.js';
import { compileWeekly } from './weekly.js';

/** Rules and variants ready for visits: sets and numbers, with the targets of all. */
export type CompiledRouting = {
  readonly rules: readonly CompiledRule[];
  /** For visitors that no rule fits; null: the link's own answer. */
  readonly variants: Split | null;
  readonly hasVariants: boolean;
  readonly isSticky: boolean;
  /** Of the smartlink: a visitor is in other buckets of other links. */
  readonly seed: bigint;
  /** Of all rules and variants, in order. */
  readonly targets: readonly Redirect[];
};

type CompiledRule = {
  readonly id: string;
  readonly name: string | undefined;
  readonly conditions: readonly Condition[];
  readonly target: Split | Route;
};

type Condition = {
  readonly name: keyof RoutingConditions;
  readonly fits: (visitor: RoutedVisitor) => boolean;
};

/** Variants with their shares. */
export type Split = {
  readonly weight: number;
  readonly variants: readonly { readonly weight: number; readonly upTo: number; readonly route: Route }[];
};

/** What was chosen for a visit, one object for each rule and variant. */
export type Route = {
  /** Ids, or ''. */
  readonly rule: string;
  readonly variant: string;
  /** null: the link's own answer. */
  readonly redirect: Redirect | null;
};

/** The facts that rules compare, as they are recorded; a bot's as those of a person with its User-Agent. */
export type RoutedVisitor = {
  readonly country: string;
  readonly language: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly source: VisitSource;
  /** '' without one. */
  readonly referrerHost: string;
  /** Without `?`, undecoded. */
  readonly query: string;
  /** Forms that several rules may ask for, once one has: NO_FORMS at first. */
  forms: VisitorForms;
  readonly timeMs: number;
  readonly isBot: boolean;
  /** 0 if the visitor must not, or cannot, be recognised. */
  readonly id: bigint;
  /** A random number from 0 to 1. */
  readonly draw: () => number;
};

type VisitorForms = {
  /** The values of each name. */
  readonly parameters: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** The language, and without its region. */
  readonly languages: readonly string[] | null;
  /** The host of the referrer, and all above it; `direct` without one. */
  readonly referrers: readonly string[] | null;
};

export const NO_FORMS: VisitorForms = { parameters: null, languages: null, referrers: null };

/**
 * `routing` of the smartlink made ready. null if this build cannot serve it: an address, or a time zone that was added
 * later. `toRedirect` is null for an address that cannot be served.
 */
export function compileRouting(
  routing: Routing,
  smartlinkId: string,
  toRedirect: (url: string) => Redirect | null,
): CompiledRouting | null {
  const targets: Redirect[] = [];
  let isServable = true;
  const routeTo = (rule: string, variant: string, url: string | undefined): Route => {
    const redirect = url === undefined ? null : toRedirect(url);
    if (redirect !== null) targets.push(redirect);
    isServable &&= url === undefined || redirect !== null;
    return { rule, variant, redirect };
  };
  const splitOf = (rule: string, variants: readonly RoutingVariant[]): Split => {
    let upTo = 0;
    const shares = variants.map(({ id, weight, url }) => {
      upTo += weight;
      return { weight, upTo, route: routeTo(rule, id, url) };
    });
    return { weight: upTo, variants: shares };
  };
  try {
    const rules = (routing.rules ?? []).map(({ id, name, url, variants, when }) => ({
      id,
      name,
      conditions: compileConditions(when),
      target: variants === undefined ? routeTo(id, '', url) : splitOf(id, variants),
    }));
    const variants = routing.variants === undefined ? null : splitOf('', routing.variants);
    const hasVariants = variants !== null || rules.some(({ target }) => 'variants' in target);
    const seed = hasVariants ? seedOf(smartlinkId) : 0n;
    const isSticky = routing.sticky !== 'none';
    return isServable ? { rules, variants, hasVariants, isSticky, seed, targets } : null;
  } catch {
    // An unknown time zone.
    return null;
  }
}

/** The cheap ones first. */
function compileConditions(when: RoutingConditions): readonly Condition[] {
  const { countries, languages, devices, systems, browsers, sources, referrers, query, from, until, weekly } =
    when;
  const conditions: (Condition | null)[] = [
    condition('countries', countries, (texts) => {
      const isWanted = compileList(texts);
      return ({ country }) => isWanted(country);
    }),
    condition('devices', devices, (texts) => {
      const isWanted = compileList(texts);
      return ({ device }) => isWanted(device);
    }),
    condition('systems', systems, (texts) => {
      const isWanted = compileList(texts);
      return ({ os }) => isWanted(os);
    }),
    condition('browsers', browsers, (texts) => {
      const isWanted = compileList(texts);
      return ({ browser }) => isWanted(browser);
    }),
    condition('sources', sources, (texts) => {
      const isWanted = compileList(texts);
      return ({ source }) => isWanted(source);
    }),
    condition('languages', languages, (texts) => fitsLanguage(compileList(texts))),
    condition('from', from, (time) => {
      const begin = Date.parse(time);
      return ({ timeMs }) => timeMs >= begin;
    }),
    condition('until', until, (time) => {
      const end = Date.parse(time);
      return ({ timeMs }) => timeMs < end;
    }),
    condition('weekly', weekly, (hours) => {
      const isWithin = compileWeekly(hours);
      return ({ timeMs }) => isWithin(timeMs);
    }),
    condition('referrers', referrers, (hosts) => fitsReferrer(compileList(hosts))),
    condition('query', query, fitsQuery),
  ];
  return conditions.filter((one) => one !== null);
}

function condition<Value>(
  name: Condition['name'],
  value: Value | undefined,
  compile: (value: Value) => Condition['fits'],
): Condition | null {
  return value === undefined ? null : { name, fits: compile(value) };
}

type IsWanted = (text: string) => boolean;

// A set takes 15 ns a look-up, and a short array 3.
const FEW = 8;

function compileList(texts: readonly string[]): IsWanted {
  if (texts.length <= FEW) return (text) => texts.includes(text);
  const wanted = new Set(texts);
  return (text) => wanted.has(text);
}

function fitsLanguage(isWanted: IsWanted): Condition['fits'] {
  return (visitor) => {
    const { languages } = visitor.forms;
    if (languages !== null) return isAnyOf(isWanted, languages);
    const { language } = visitor;
    const hyphen = language.indexOf('-');
    const found = hyphen === -1 ? [language] : [language, language.slice(0, hyphen)];
    const { parameters, referrers } = visitor.forms;
    // Listed: a spread object takes a microsecond.
    visitor.forms = { parameters, languages: found, referrers };
    return isAnyOf(isWanted, found);
  };
}

function fitsReferrer(isWanted: IsWanted): Condition['fits'] {
  return (visitor) => {
    const { referrers } = visitor.forms;
    if (referrers !== null) return isAnyOf(isWanted, referrers);
    const found = hostsAbove(visitor.referrerHost);
    const { parameters, languages } = visitor.forms;
    visitor.forms = { parameters, languages, referrers: found };
    return isAnyOf(isWanted, found);
  };
}

function hostsAbove(host: string): readonly string[] {
  if (host === '') return DIRECT;
  const hosts = [host];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1))
    hosts.push(host.slice(dot + 1));
  return hosts;
}

const DIRECT = ['direct'];

function isAnyOf(isWanted: IsWanted, found: readonly string[]): boolean {
  for (const one of found) if (isWanted(one)) return true;
  return false;
}

function fitsQuery(wanted: NonNullable<RoutingConditions['query']>): Condition['fits'] {
  return (visitor) => {
    if (visitor.query === '') return false;
    const { parameters: known, languages, referrers } = visitor.forms;
    const parameters = known ?? readParameters(visitor.query);
    if (known === null) visitor.forms = { parameters, languages, referrers };
    return wanted.some(({ name, value }) => {
      const values = parameters.get(name);
      return values !== undefined && (value === undefined || values.has(value));
    });
  };
}

/**
 * Indexed: URLSearchParams compares one by one, and the 1,000 conditions of a link with the 5,000 parameters of a visit
 * took 29 ms of everybody's worker.
 */
function readParameters(query: string): ReadonlyMap<string, ReadonlySet<string>> {
  const parameters = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, new Set([value]));
    else values.add(value);
  }
  return parameters;
}

/** The route of a visit; null: the link's own answer, by no rule and no variant. */
export function chooseRoute(routing: CompiledRouting, visitor: RoutedVisitor): Route | null {
  const rule = routing.rules.find(({ conditions }) => fitsAll(conditions, visitor));
  const target = rule === undefined ? routing.variants : rule.target;
  return target === null || !('variants' in target) ? target : chooseVariant(routing, target, visitor);
}

function fitsAll(conditions: readonly Condition[], visitor: RoutedVisitor): boolean {
  for (const { fits } of conditions) if (!fits(visitor)) return false;
  return true;
}

/** How a route was found, for its owner. */
export type RouteExplanation = {
  /** The rules before, in order, with the conditions that do not fit. */
  readonly passed: readonly { readonly id: string; readonly unfit: readonly string[] }[];
  /** The rule that fits, or null. */
  readonly rule: string | null;
  /** The split that decides, or null. */
  readonly split: Split | null;
};

export function explainRoute(routing: CompiledRouting, visitor: RoutedVisitor): RouteExplanation {
  const found = routing.rules.findIndex(({ conditions }) => fitsAll(conditions, visitor));
  const before = found === -1 ? routing.rules : routing.rules.slice(0, found);
  const rule = routing.rules[found];
  const target = rule === undefined ? routing.variants : rule.target;
  return {
    passed: before.map(({ id, conditions }) => ({
      id,
      unfit: conditions.filter(({ fits }) => !fits(visitor)).map(({ name }) => name),
    })),
    rule: rule?.id ?? null,
    split: target !== null && 'variants' in target ? target : null,
  };
}

/** Bots get the first: all see the same. */
function chooseVariant(
  { isSticky, seed }: CompiledRouting,
  { variants, weight }: Split,
  visitor: RoutedVisitor,
): Route | null {
  if (visitor.isBot) return variants[0]?.route ?? null;
  const part = isSticky && visitor.id !== 0n ? bucketOf(visitor.id, seed) : visitor.draw();
  const place = part * weight;
  return variants.find(({ upTo }) => place < upTo)?.route ?? null;
}

// 2^64 divided by the golden ratio: the product's high bits depend on all bits of the id.
const MULTIPLIER = 0x9e3779b97f4a7c15n;
const BITS_53 = 2 ** 53;

/** A number from 0 to 1, the same for a visitor's id of one day and a smartlink; the ids are hashes already. */
function bucketOf(visitorId: bigint, seed: bigint): number {
  return Number(BigInt.asUintN(64, (visitorId ^ seed) * MULTIPLIER) >> 11n) / BITS_53;
}

/** FNV-1a, 64 bits. */
function seedOf(smartlinkId: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < smartlinkId.length; i += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(smartlinkId.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash;
}
