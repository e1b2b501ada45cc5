import type { LoadRequest } from '@smartlink/bench/load';
import type { BenchUser } from '../bench-users.js';
import type { BenchLink, Tenants } from './tenants.js';

export type ApiCase = {
  readonly title: string;
  readonly request: LoadRequest;
  /** What p95 over one connection may be at most; null: there is no goal. */
  readonly goalMs: number | null;
};

/** The links that are looked at one by one; all of the first owner. */
export type MeasuredLinks = {
  readonly hot: BenchLink;
  readonly medium: BenchLink;
  readonly small: BenchLink;
};

const LINK_GOAL_MS = 50;
const SUMMARY_GOAL_MS = 100;
const TOTALS_GOAL_MS = 30;
const DAY_MS = 86_400_000;

/** By fill-events.ts: a fifth of all events, some thousandth, some hundred-thousandth. */
export function pickLinks({ links }: Tenants): MeasuredLinks {
  const pick = (number: number) => {
    const link = links[number];
    if (link === undefined) throw new Error(`There is no link ${number}`);
    return link;
  };
  return { hot: pick(0), medium: pick(60), small: pick(19_000) };
}

/** Returns the requests that the goals speak of, by name. */
export function goalCases(tenants: Tenants) {
  const [hotOwner, otherOwner] = tenants.owners;
  if (hotOwner === undefined || otherOwner === undefined) throw new Error('There are too few owners');
  const { hot, medium, small } = pickLinks(tenants);
  const series = (link: BenchLink) => get(hotOwner, `/smartlink/analytics?id=${link.id}`);
  return {
    hot: { title: 'analytics of the hot link', request: series(hot), goalMs: LINK_GOAL_MS },
    medium: { title: 'analytics of a medium link', request: series(medium), goalMs: LINK_GOAL_MS },
    small: { title: 'analytics of a small link', request: series(small), goalMs: LINK_GOAL_MS },
    summary: {
      title: "summary, the hot link's owner",
      request: get(hotOwner, '/analytics/summary'),
      goalMs: SUMMARY_GOAL_MS,
    },
    otherSummary: {
      title: 'summary, another owner',
      request: get(otherOwner, '/analytics/summary'),
      goalMs: SUMMARY_GOAL_MS,
    },
    list: {
      title: 'list, limit=100',
      request: get(hotOwner, '/smartlink?limit=100'),
      goalMs: TOTALS_GOAL_MS,
    },
    fetch: { title: 'GET by id', request: get(hotOwner, `/smartlink?id=${hot.id}`), goalMs: null },
  } satisfies Readonly<Record<string, ApiCase>>;
}

/** Returns requests that days of UTC do not answer, and other forms of the answer. */
export function otherCases(tenants: Tenants, nowMs: number): readonly ApiCase[] {
  const [owner] = tenants.owners;
  if (owner === undefined) throw new Error('There are no owners');
  const { hot, medium } = pickLinks(tenants);
  const weekAgo = new Date(nowMs - 6 * DAY_MS).toISOString().slice(0, 10);
  const of = (title: string, link: BenchLink, query: string): ApiCase => ({
    title,
    request: get(owner, `/smartlink/analytics?id=${link.id}&${query}`),
    goalMs: null,
  });
  return [
    of('hot link, 7 days by the hour in Asia/Baku', hot, `tz=Asia/Baku&interval=hour&from=${weekAgo}`),
    of('hot link, CSV', hot, 'format=csv'),
    of('medium link, 365 days in Asia/Baku', medium, 'tz=Asia/Baku'),
    of('hot link, 365 days in Asia/Baku', hot, 'tz=Asia/Baku'),
  ];
}

function get({ apiKey }: BenchUser, path: string): LoadRequest {
  return { method: 'GET', path: `/api/v1${path}`, headers: { authorization: `Bearer ${apiKey}` } };
}
