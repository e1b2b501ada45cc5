import { isAddress } from '@smartlink/smartlink/model';
import type { VisitEvent } from '@smartlink/visits/event';
import { type Agent, applyPlatformHint, readerOf } from '@smartlink/visits/routing';
import { createRecentMap } from '../bounded-maps.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { type Answer, noContent, textReply } from '../http/reply.js';
import type { Hosts } from '../http/served-host.js';
import { RETRY_AFTER_SECONDS, retryAfter } from '../http/system-replies.js';
import type { Allowances } from '../links/allowances.js';
import { findByAddress, type LinkCache } from '../links/link-cache.js';
import type { ServedLink } from '../links/served-link.js';
import type { PressResult } from '../metrics/metric-definitions.js';
import type { PressCounters } from '../metrics/worker-metrics.js';
import { describeVisit, type VisitorDeps } from './answer-visit.js';
import { parseVisitPath, type VisitRequest } from './visit-request.js';

/** The copied parts of a report. */
export type PressRequest = {
  readonly button: string;
  /** The report itself, its slug not checked. */
  readonly visit: VisitRequest;
  /** '' when the browser sent none. */
  readonly secFetchSite: string;
  /** Where the page was opened, as its browser says; '' if it does not. */
  readonly pageUrl: string;
};

type AnswerPressDeps = {
  readonly links: Pick<LinkCache, 'find'>;
  readonly allowances: Pick<Allowances, 'findClosed'>;
  readonly classifyAgent: (userAgent: string) => Agent;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly counters: PressCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly hosts: Pick<Hosts, 'isOwn'>;
  readonly visitors: VisitorDeps;
  readonly onFault: (err: unknown) => void;
};

/** A second press within this time is a double click. */
const REPEAT_MS = 2_000;
// About 150 bytes each, up to twice as many. Under a flood of visitors the oldest are dropped, and their repeats count.
const PRESSES_MAX = 10_000;

const NO_CONTENT = noContent();
const FORBIDDEN = textReply(403, 'This report was sent from another site.\n');
const NOT_FOUND = textReply(404, 'There is no such button.\n');
const UNAVAILABLE = textReply(503, 'Try again later.\n', [retryAfter(RETRY_AFTER_SECONDS)]);

const ANSWERS: Readonly<Record<PressResult, Answer>> = {
  counted: NO_CONTENT,
  repeated: NO_CONTENT,
  excluded: NO_CONTENT,
  refused: FORBIDDEN,
  not_found: NOT_FOUND,
  unavailable: UNAVAILABLE,
  error: UNAVAILABLE,
};

/**
 * Answers the report of a pressed button of a link's page and records the press: an event with the values of a visit to the page
 * that is not counted as one and takes none of a visit limit. Never rejects.
 */
export function createAnswerPress(deps: AnswerPressDeps): (request: PressRequest) => Promise<Answer> {
  const { counters, visitors } = deps;
  const isRepeated = createRepeatCheck();

  return async (request) => {
    const { secFetchSite, visit } = request;
    if (secFetchSite !== '' && secFetchSite !== 'same-origin') return answer('refused');
    if (!isAddress(visit.slug)) return answer('not_found');
    let link: ServedLink | null;
    try {
      link = await findByAddress(deps.links, visit.slug, visit.isScan, visit.host.number);
    } catch {
      return answer('unavailable');
    }
    try {
      if (link === null || !hasButton(link, request.button)) return answer('not_found');
      return await record(request, link);
    } catch (err) {
      deps.onFault(err);
      return answer('error');
    }
  };

  function answer(result: PressResult): Answer {
    counters[result] += 1;
    return ANSWERS[result];
  }

  /** The last visitor of a limited link still has its page, so a link that is used up counts presses. */
  function hasButton(link: ServedLink, button: string): boolean {
    if (!link.buttons.includes(button)) return false;
    const closed = deps.allowances.findClosed(link);
    return closed === null || closed.kind === 'exhausted';
  }

  async function record({ button, visit, pageUrl }: PressRequest, link: ServedLink): Promise<Answer> {
    const { headers, address } = visit;
    const agent = applyPlatformHint(deps.classifyAgent(headers.userAgent), headers.secChUaPlatform);
    if (readerOf(visit, agent) !== 'person') return answer('excluded');
    const timeMs = deps.now();
    // Visitors who ask not to be recognised have this id in memory only; their event has none.
    const id = address.text === '' ? null : visitors.readVisitorId(address, headers.userAgent, timeMs);
    if (id !== null && isRepeated(`${id} ${link.smartlinkId} ${button}`, timeMs)) return answer('repeated');
    const request = { ...visit, ...readPageUrl(pageUrl), headers: { ...headers, referer: '' } };
    const { hosts } = deps;
    const event = describeVisit(link, link.plain, { request, agent, route: null, timeMs, hosts, visitors });
    if (event !== null) await deps.recorder.record(toPress(event, button), link.linkPart);
    return answer('counted');
  }
}

/** Changes the event in place: a copy would have another shape than events of visits, which slows their encoding. */
function toPress(event: VisitEvent, button: string): VisitEvent {
  return Object.assign(event, { outcome: 'excluded', exclusion: 'press', button } as const);
}

/** Whether a key came within two seconds after it was last new. */
function createRepeatCheck(): (key: string, timeMs: number) => boolean {
  const recent = createRecentMap<number>(PRESSES_MAX);
  return (key, timeMs) => {
    const before = recent.get(key);
    // The clock may have been set back.
    if (before !== undefined && Math.abs(timeMs - before) < REPEAT_MS) return true;
    recent.set(key, timeMs);
    return false;
  };
}

const PAGE_URL = /^https?:\/\/[^/?#]+([^?#]*)(?:\?([^#]*))?/;

/** How the page was opened: its campaign, and whether by its QR code. */
function readPageUrl(pageUrl: string): Pick<VisitRequest, 'isScan' | 'query'> {
  const [, path = '', query = ''] = PAGE_URL.exec(pageUrl) ?? [];
  return { isScan: parseVisitPath(path)?.isScan ?? false, query };
}
