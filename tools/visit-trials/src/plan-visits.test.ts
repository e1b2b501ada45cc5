import { expect, test } from 'vitest';
import { planVisits } from './plan-visits.js';

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';

test('visits each address and uses each valid User-Agent at least once, and counts no bot', () => {
  const { visits, unsendable } = planVisits(3, [BROWSER, BOT, 'line\nbreak', 'schö', 'снег']);
  expect(unsendable).toBe(2);
  expect(new Set(visits.map((visit) => visit.address))).toEqual(new Set([0, 1, 2]));
  expect(visits.map((visit) => visit.kind)).toEqual(['scans', 'bots', 'clicks']);
});

test('visits addresses several times if there are more User-Agents', () => {
  const { visits } = planVisits(2, [BROWSER, BROWSER, BROWSER, BROWSER, BROWSER]);
  expect(visits.map((visit) => visit.address)).toEqual([0, 1, 0, 1, 0]);
  expect(visits.filter((visit) => visit.isScan)).toHaveLength(1);
});
