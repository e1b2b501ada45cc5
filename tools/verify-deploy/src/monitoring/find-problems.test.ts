import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { breachesOf } from './contract.js';
import { partsOf } from './expression.js';
import { findAlertProblems, findDashboardProblems, findUnknownMetrics } from './find-problems.js';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

it('finds a metric, a label and a value that nobody exposes', () => {
  const contract = new Map([['a_total', new Map([['outcome', new Set(['x_1', 'x_2'])]])]]);
  const parts = partsOf('sum by (nobody) (a_total{outcome=~"x_.|z", result="y", job="j"}) + b + c:d');
  expect(breachesOf(parts, contract, new Set(['c:d']))).toEqual([
    'no metric has a label nobody',
    'docs/metrics.md names no a_total{outcome="z"}',
    'docs/metrics.md names no label result of a_total',
    'docs/metrics.md has no b',
  ]);
});

it('asks for documented metrics only, in rules and dashboards', () => {
  expect(findUnknownMetrics(ROOT).problems).toEqual([]);
});

it('has a section in the runbook and two tests for each alert', () => {
  expect(findAlertProblems(ROOT).problems).toEqual([]);
});

it('keeps the dashboards as their sources make them', () => {
  expect(findDashboardProblems(ROOT).problems).toEqual([]);
});
