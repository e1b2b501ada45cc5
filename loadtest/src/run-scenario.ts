import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSmartlinkClient } from '@smartlink/client';
import { StackError } from '@smartlink/embedded/stack-error';
import { convertAgentsFile } from './agents-file.js';
import { findK6 } from './find-k6.js';
import type { K6 } from './find-k6.js';
import { makeLinks } from './make-links.js';
import { openAccount } from './open-account.js';
import { readTarget } from './read-target.js';
import { startOwnStack } from './own-stack.js';
import type { Progress } from './progress.js';
import { makeReportsFolder } from './reports-folder.js';
import { runDuring } from './run-during.js';
import { runK6 } from './run-k6.js';
import { SCRIPTS, scriptOf } from './scenarios.js';
import type { Scenario } from './scenarios.js';
import { settingsOf, UsageError } from './settings.js';
import type { Settings } from './settings.js';
import { describeSummary } from './summary.js';
import type { K6Summary } from './k6-summary.js';
import type { Target } from './target.js';
import { thresholdsOf } from './thresholds.js';

export type ScenarioRun = {
  readonly scenario: Scenario;
  readonly settings: Settings;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

// 100,000 smartlinks take the API a while; the client waits out its rate limit.
const API_CALL_LIMITS = { timeoutMs: 60_000, deadlineMs: 900_000, retries: 10 };
const FAILURES_TOLD = 5;

/**
 * Runs a scenario from nothing to its account, and returns what failed: broken thresholds and what of the account does not
 * balance, with their values. What it started is gone when it returns. Throws UsageError before it starts anything.
 */
export async function runScenario(run: ScenarioRun): Promise<readonly string[]> {
  const { scenario, settings, progress, signal } = run;
  // Before minutes are spent on a stack and on k6.
  const problems = scenario.problems?.(settings) ?? [];
  if (problems.length > 0) throw new UsageError(problems.join('; '));
  const given = readTarget(settings);
  const reportsFolder = makeReportsFolder(settings.text('REPORTS_DIR'));
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-files-'));
  let target: Target | null = null;
  try {
    const agents = settings.text('USER_AGENTS');
    const agentsFile = agents === '' ? '' : path.join(folder, 'agents.json');
    if (agents !== '') progress.report(`${convertAgentsFile(agents, agentsFile)} User-Agents of ${agents}`);
    const k6 = await findK6({ report: progress.report, signal });
    if (k6 === null) return ['there is no k6'];
    target =
      given ??
      (await startOwnStack({ settings, hasGates: scenario.stopsEngines === true, progress, signal }));
    return await loadTarget({ ...run, target, k6, folder, reportsFolder, agentsFile });
  } finally {
    if (target?.own) progress.report('Stopping the stack');
    await target?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Load = ScenarioRun & {
  readonly target: Target;
  readonly k6: K6;
  readonly folder: string;
  readonly reportsFolder: string;
  readonly agentsFile: string;
};

async function loadTarget(load: Load): Promise<readonly string[]> {
  const { scenario, settings, progress, signal, target, folder } = load;
  const api = createSmartlinkClient({ baseUrl: target.apiUrl, apiKey: target.apiKey, ...API_CALL_LIMITS });
  const count = settings.number('LINKS');
  const prefix = `lt${Date.now().toString(36)}x`;
  progress.report(`Making ${count} links`);
  const links = await makeLinks({
    ...{ api, target, plan: scenario.links, prefix, count, folder, signal },
    progress: (done) => {
      progress.show(`${done} of ${count} links made`);
    },
  });
  const account = await openAccount({ target, api, progress, signal });
  try {
    const report = reportFiles(load.reportsFolder, scenario);
    progress.report(`Running ${scenario.name}: ${describeRun(scenario, settings)}`);
    const held = await applyLoad(load, prefix, report);
    const summary = JSON.parse(readFileSync(report.summary, 'utf8')) as K6Summary;
    console.log(`\n${scenario.name}: ${describeRun(scenario, settings)}\n`);
    for (const line of describeSummary(summary)) console.log(line);
    for (const line of scenario.explain?.(summary, settings) ?? []) console.log(line);
    for (const line of firstFailures(report)) console.log(line);
    const unbalanced = await account.settleAndCompare(summary);
    console.log(`\nReport: ${path.relative(process.cwd(), report.html)}`);
    return [...(held || scenario.seeksLimit === true ? [] : brokenThresholds(summary)), ...unbalanced];
  } finally {
    await account.close();
    await links.remove();
  }
}

/** Runs k6, and beside it what the scenario does meanwhile. A part of the stack that ends by itself ends both. */
async function applyLoad(load: Load, prefix: string, report: ReportFiles): Promise<boolean> {
  const { scenario, settings, progress, target, k6, folder } = load;
  const ended = new AbortController();
  const signal = AbortSignal.any([load.signal, ended.signal]);
  void target.failed.then((reason) => {
    ended.abort(new StackError(reason));
  });
  const during = runDuring(scenario.during, { target, settings, say: progress.report, signal }).catch(
    (err: unknown) => {
      ended.abort(err);
    },
  );
  try {
    return await runK6({
      k6,
      script: scriptOf(scenario),
      env: k6Env(load, prefix, report),
      folders: [SCRIPTS, folder, path.dirname(report.html)],
      logFile: report.log,
      onProgress: ({ seconds, visits, failed, p95Ms }) => {
        const rate = (visits / Math.max(1, seconds)).toFixed(0);
        const moment = scenario.moment?.(seconds, settings) ?? '';
        progress.show(
          `${seconds.toFixed(0)} s${moment && `, ${moment}`}: ${visits} visits, ${rate} a second, p95 ${p95Ms.toFixed(1)} ms, ${failed} failed`,
        );
      },
      signal,
    });
  } finally {
    ended.abort(new Error('the load is over'));
    await during;
  }
}

type ReportFiles = { readonly html: string; readonly summary: string; readonly log: string };

function reportFiles(folder: string, { name }: Scenario): ReportFiles {
  const time = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15);
  const base = path.join(folder, `${name}-${time}`);
  return { html: `${base}.html`, summary: `${base}.json`, log: `${base}.log` };
}

function brokenThresholds(summary: K6Summary): readonly string[] {
  const broken = thresholdsOf(summary).filter(({ holds }) => !holds);
  return broken.length === 0 ? ['k6 says that a threshold broke'] : broken.map(({ text }) => text);
}

/** What the script said went wrong, in its order; all of it stands in the log. */
function firstFailures({ log }: ReportFiles): readonly string[] {
  const told = readFileSync(log, 'utf8').matchAll(/level=error msg="((?:[^"\\]|\\.)*)" source=console/g);
  const lines = [...told].slice(0, FAILURES_TOLD).map(([, said = '']) => `✗ ${said}`);
  return lines.length === 0 ? [] : ['', ...lines, `  The log: ${path.relative(process.cwd(), log)}`];
}

function k6Env(load: Load, prefix: string, report: ReportFiles): Record<string, string> {
  const { scenario, settings, target, agentsFile } = load;
  const numbers = Object.keys(scenario.defaults).map((name) => [name, settings.text(name)] as const);
  return {
    ...Object.fromEntries(numbers),
    ...scenario.env?.(settings),
    // The launcher's own part counts its seconds from here as well.
    BEGAN_AT: String(Date.now()),
    PUBLIC_URL: target.publicUrl,
    API_URL: target.apiUrl,
    API_KEY: target.apiKey,
    SLUG_PREFIX: prefix,
    SUMMARY_FILE: report.summary,
    AGENTS_FILE: agentsFile,
    K6_NO_USAGE_REPORT: 'true',
    K6_WEB_DASHBOARD: 'true',
    // No server, just the file at the end.
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: `${periodSeconds(settings, scenario)}s`,
    K6_WEB_DASHBOARD_EXPORT: report.html,
  };
}

// A plot has 300 points at most, and a short run enough to be drawn at all.
function periodSeconds(settings: Settings, scenario: Scenario): number {
  const hasDuration = Object.hasOwn(scenario.defaults, 'DURATION_SECONDS');
  return hasDuration ? Math.max(1, Math.ceil(settings.number('DURATION_SECONDS') / 300)) : 1;
}

function describeRun(scenario: Scenario, settings: Settings): string {
  const own = [...settingsOf(scenario).keys()].filter((name) => Object.hasOwn(scenario.defaults, name));
  return own.map((name) => `${name} ${settings.text(name)}`).join(', ');
}
