import { expect, test } from 'vitest';
import { classifyVisit, type CountedRequest } from './classify.js';
import type { Decision } from './decision.js';

const PERSON = { isBot: false };
const BOT = { isBot: true };
const TARGET: Decision = {
  kind: 'redirect',
  location: 'https://example.org/',
  outcome: 'target',
  rule: 'url',
};
const FALLBACK: Decision = { ...TARGET, outcome: 'fallback', rule: 'fallBackLink' };
const requestWith = (more: Partial<CountedRequest> = {}): CountedRequest => ({
  isHead: false,
  isScan: false,
  query: '',
  headers: { secPurpose: '', purpose: '', xMoz: '' },
  ...more,
});
const PREFETCH = requestWith({ headers: { secPurpose: 'prefetch', purpose: '', xMoz: '' } });

test.each<[decision: Decision, outcome: string]>([
  [TARGET, 'target'],
  [FALLBACK, 'fallback'],
  [{ kind: 'chooser' }, 'fallback'],
  [{ kind: 'page' }, 'page'],
])('a person’s GET that ends in %j counts as %s', (decision, outcome) => {
  expect(classifyVisit(decision, requestWith(), PERSON)).toEqual({ source: 'click', outcome, exclusion: '' });
});

test.each<
  [title: string, decision: Decision, request: CountedRequest, agent: { isBot: boolean }, reason: string]
>([
  ['a bot', TARGET, requestWith(), BOT, 'bot'],
  ['a link preview', { kind: 'share' }, requestWith(), BOT, 'bot'],
  ['HEAD', TARGET, requestWith({ isHead: true }), PERSON, 'head'],
  ['a prefetch', TARGET, PREFETCH, PERSON, 'prefetch'],
  ['a deleted link', { kind: 'gone' }, requestWith(), PERSON, 'deleted'],
  ['a paused link', { kind: 'paused' }, requestWith(), PERSON, 'paused'],
  ['a password form', { kind: 'locked' }, requestWith(), PERSON, 'form'],
  ['a bot’s HEAD of a deleted link', { kind: 'gone' }, requestWith({ isHead: true }), BOT, 'bot'],
  ['a HEAD of a paused link', { kind: 'paused' }, requestWith({ isHead: true }), PERSON, 'head'],
])('%s does not count and is tallied', (_title, decision, request, agent, reason) => {
  expect(classifyVisit(decision, request, agent)).toEqual({
    source: 'click',
    outcome: 'excluded',
    exclusion: reason,
  });
});

test('a share page counts as a bot’s for every visitor', () => {
  expect(classifyVisit({ kind: 'share' }, requestWith(), PERSON)).toMatchObject({ exclusion: 'bot' });
});

test('the “iPad or Mac” question and failures are not recorded', () => {
  for (const agent of [PERSON, BOT]) {
    expect(classifyVisit({ kind: 'ipad-or-mac' }, requestWith(), agent)).toBeNull();
    expect(classifyVisit({ kind: 'unsupported' }, requestWith(), agent)).toBeNull();
  }
});

test.each([
  [requestWith({ isScan: true }), 'scan'],
  [requestWith({ query: 'qr=1' }), 'scan'],
  [requestWith({ query: 'a=b&qr=1&c=d' }), 'scan'],
  [requestWith({ query: 'qr=10' }), 'click'],
  [requestWith({ query: 'xqr=1' }), 'click'],
  [requestWith(), 'click'],
])('%j comes from a %s', (request, source) => {
  expect(classifyVisit(TARGET, request, PERSON)).toMatchObject({ source, outcome: 'target' });
  expect(classifyVisit({ kind: 'paused' }, request, PERSON)).toMatchObject({ source, exclusion: 'paused' });
});

test('counting allocates no object', () => {
  expect(classifyVisit(TARGET, requestWith(), PERSON)).toBe(classifyVisit(TARGET, requestWith(), PERSON));
});
