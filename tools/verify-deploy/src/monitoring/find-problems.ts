import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboardFiles, DASHBOARDS } from './all-dashboards.js';
import { breachesOf, readContract } from './contract.js';
import { partsOf, withoutVariables } from './expression.js';
import { alertsOf, DASHBOARD_FOLDER, readRuleFiles, readTestFiles } from './rule-files.js';
import type { RuleFile } from './rule-files.js';

const RUNBOOK = '{{ $externalLabels.docs }}/runbook.md#';
const SEVERITIES = ['page', 'ticket', 'none'];

export type Found = { readonly problems: readonly string[]; readonly figure: string };

/** Returns what in rules and dashboards is not in docs/metrics.md, and recorded series that nobody reads. */
export function findUnknownMetrics(root: string): Found {
  const contract = readContract(root);
  const files = readRuleFiles(root);
  const recorded = new Set(files.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])));
  const used = [
    ...files.flatMap(({ name, rules }) =>
      rules.map(({ alert, record = alert ?? '', expr }) => ({ place: `${name}, ${record}`, expr })),
    ),
    ...DASHBOARDS.flatMap(({ uid, rows }) =>
      rows.flatMap(({ panels }) =>
        panels.flatMap(({ title, queries }) =>
          queries.map(({ expr }) => ({ place: `${uid}, ${title}`, expr: withoutVariables(expr, '5m') })),
        ),
      ),
    ),
  ];
  const problems = used.flatMap(({ place, expr }) =>
    breachesOf(partsOf(expr), contract, recorded).map((problem) => `${place}: ${problem}`),
  );
  const read = new Set(used.flatMap(({ expr }) => partsOf(expr).selectors.map(({ metric }) => metric)));
  const unread = [...recorded].filter((name) => !read.has(name)).map((name) => `nobody reads ${name}`);
  const figure = `${used.length} expressions over ${contract.size} documented series and ${recorded.size} recorded ones`;
  return {
    problems: contract.size === 0 ? ['docs/metrics.md has no table'] : [...problems, ...unread],
    figure,
  };
}

/** Returns what is wrong with the alerts: their words, their section in docs/runbook.md, their tests. */
export function findAlertProblems(root: string): Found {
  const files = readRuleFiles(root);
  const alerts = alertsOf(files);
  const sections = new Set(
    [...readFileSync(path.join(root, 'docs/runbook.md'), 'utf8').matchAll(/^### (\w+)$/gm)].map(
      (match) => match[1] ?? '',
    ),
  );
  const problems = alerts.flatMap(({ alert, labels, annotations }) => [
    ...(SEVERITIES.includes(labels?.['severity'] ?? '') ? [] : [`${alert} has no severity`]),
    ...(annotations?.['summary'] === undefined ? [`${alert} has no summary`] : []),
    ...(annotations?.['runbook_url'] === RUNBOOK + alert.toLowerCase()
      ? []
      : [`${alert} does not name its runbook`]),
    ...(sections.has(alert) ? [] : [`docs/runbook.md has no section "### ${alert}"`]),
  ]);
  const names = new Set(alerts.map(({ alert }) => alert));
  const forgotten = [...sections].filter((section) => !names.has(section));
  return {
    problems: [
      ...problems,
      ...forgotten.map((section) => `docs/runbook.md has a section ${section}, and there is no such alert`),
      ...findUntested(root, files),
    ],
    figure: `${names.size} alerts, each with a section in docs/runbook.md, seen to fire and to be silent`,
  };
}

// Watchdog is silent never.
function findUntested(root: string, files: readonly RuleFile[]): readonly string[] {
  const expectations = readTestFiles(root).flatMap(({ tests }) =>
    tests.flatMap(({ alert_rule_test: list = [] }) => list),
  );
  const isTested = (alert: string, fires: boolean) =>
    expectations.some(
      ({ alertname, exp_alerts: list = [] }) => alertname === alert && list.length > 0 === fires,
    );
  return alertsOf(files).flatMap(({ alert }) => [
    ...(isTested(alert, true) ? [] : [`no test sees ${alert} fire`]),
    ...(isTested(alert, false) || alert === 'Watchdog' ? [] : [`no test sees ${alert} stay silent`]),
  ]);
}

/** Returns which files of dashboards are not what the sources make, and what breaks rules of Grafana's model. */
export function findDashboardProblems(root: string): Found {
  const folder = path.join(root, DASHBOARD_FOLDER);
  const files = dashboardFiles();
  const strangers = readdirSync(folder).filter((name) => !files.has(name));
  const stale = [...files].filter(([name, text]) => readOrNull(path.join(folder, name)) !== text);
  const uids = DASHBOARDS.map(({ uid }) => uid);
  const panels = DASHBOARDS.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
  return {
    problems: [
      ...strangers.map((name) => `${name} is made by nothing: npm run docs:dashboards removes it`),
      ...stale.map(([name]) => `${name} is not what its source makes: npm run docs:dashboards`),
      ...(new Set(uids).size === uids.length ? [] : ['two dashboards have one uid']),
      ...panels.filter(({ queries }) => queries.length === 0).map(({ title }) => `${title} asks for nothing`),
    ],
    figure: `${DASHBOARDS.length} dashboards, ${panels.length} panels`,
  };
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
