import type { LinkSnapshot, RoutingRule } from '@smartlink/smartlink/document';
import { chooseRoute, compileLink, decide, NO_FORMS, type RoutedVisitor } from '@smartlink/visits/routing';
import { goal, number, type Table } from '../figures.js';
import type { Report } from '../program.js';

const ROUNDS = 9;
const VISITS = 300_000;
const NS_PER_MS = 1e6;
const ONE_RULE_NS_MAX = 100;
const TWENTY_RULES_NS_MAX = 1_000;

/** Of rules that do not fit, by turns of different conditions. */
const CONDITIONS: readonly RoutingRule['when'][] = [
  { countries: ['DE', 'AT'], devices: ['mobile'] },
  { languages: ['pt-BR', 'fr'] },
  { referrers: ['news.example', 'direct'] },
  { query: [{ name: 'a' }] },
  { weekly: { timeZone: 'Asia/Baku', days: ['Mon', 'Tue'], from: '18:00', to: '02:00' } },
];

const rulesOf = (count: number): RoutingRule[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: `r${i}`, url: `https://example.org/${i}`, when: CONDITIONS[i % CONDITIONS.length] ?? {} },
  }));

const VARIANTS = [
  { id: 'a', weight: 80, url: 'https://example.org/a' },
  { id: 'b', weight: 20, url: 'https://example.org/b' },
];

const LINKS = {
  'no rules': undefined,
  'one rule': { rules: rulesOf(1) },
  'twenty rules': { rules: rulesOf(20) },
  'a split': { variants: VARIANTS },
};
type Name = keyof typeof LINKS;

/** The decision of a visit in a process, without its socket: what rules and variants add to it. */
export function measureRules(): Promise<Report> {
  const names = Object.keys(LINKS) as Name[];
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]));
  const links = new Map(names.map((name) => [name, linkWith(name)]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, link] of links) measured.get(name)?.push(timeVisits(link));
  }
  const ns = (name: Name): number => measured.get(name)?.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  const added = (name: Name): number => ns(name) - ns('no rules');
  const limited = (name: Name, most: number) =>
    goal(added(name) <= most, `${name}: ${number(added(name))} ns more a visit (goal: ${most})`);
  const table: Table = {
    title: 'Decision of a visit, median of nine rounds',
    head: ['link', 'ns', 'more'],
    rows: names.map((name) => [name, number(ns(name)), number(added(name))]),
  };
  return Promise.resolve({
    tables: [table],
    notes: [limited('one rule', ONE_RULE_NS_MAX), limited('twenty rules', TWENTY_RULES_NS_MAX)],
    figures: Object.fromEntries(measured),
  });
}

function linkWith(name: Name) {
  const snapshot = {
    ...{ version: 1, smartlinkId: '0198a0c0-0000-7000-8000-000000000000', ownerId: 'o', slug: 'docs' },
    ...{ status: 'Active', type: 'Url', url: 'https://example.org/' },
    ...(LINKS[name] === undefined ? {} : { routing: LINKS[name] }),
  };
  return compileLink(snapshot as LinkSnapshot);
}

/** ns a visit, by visitors from four countries. */
function timeVisits(link: ReturnType<typeof linkWith>): number {
  const started = performance.now();
  let redirects = 0;
  for (let i = 0; i < VISITS; i += 1) {
    const route = link.routing === null ? null : chooseRoute(link.routing, visitorOf(i));
    // Listed: a spread object takes a microsecond.
    const decision = decide(link, {
      query: '',
      isUnlocked: false,
      forwardsQuery: true,
      platform: 'windows',
      mayBeIpad: false,
      isPreview: false,
      route,
      closed: null,
      reader: 'person',
    });
    if (decision.kind === 'redirect') redirects += 1;
  }
  if (redirects !== VISITS) throw new Error('A visit was not redirected');
  return ((performance.now() - started) * NS_PER_MS) / VISITS;
}

const COUNTRIES = ['AZ', 'TR', 'US', 'FR'] as const;
const IDS = Array.from({ length: 16 }, (_, i) => BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n));

function visitorOf(visit: number): RoutedVisitor {
  return {
    country: COUNTRIES[visit & 3] ?? 'AZ',
    language: 'en-US',
    device: 'desktop',
    os: 'Windows',
    browser: 'Chrome',
    source: 'click',
    referrerHost: 'www.example.com',
    query: '',
    forms: NO_FORMS,
    // Wednesday.
    timeMs: 1_795_600_000_000,
    isBot: false,
    id: IDS[visit & 15] ?? 1n,
    draw: Math.random,
  };
}
