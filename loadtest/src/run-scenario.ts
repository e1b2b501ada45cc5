import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isbot } from 'isbot';
import { createSmartlinkClient } from '@smartlink/client';
import { StackError } from '@smartlink/embedded/stack-error';
import { openAccount } from './account.js';
import { findK6, type K6 } from './find-k6.js';
import { makeLinks } from './links.js';
import { startOwnStack } from './own-stack.js';
import type { Progress } from './progress.js';
import { brokenThresholds, type K6Summary, runK6 } from './run-k6.js';
import { type Scenario, SCRIPTS } from './scenarios.js';
import { type Settings, UsageError } from './settings.js';
import { readTarget, type Target } from './target.js';

export type ScenarioRun = {
  readonly scenario: Scenario;
  readonly settings: Settings;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

// 100,000 smartlinks take the API a while; the client waits out its rate limit.
const API_CALL_LIMITS = { timeoutMs: 60_000, deadlineMs: 900_000, retries: 10 };
const FAILURES_SHOWN = 5;

/**
 * Runs a scenario from nothing to its account; returns broken thresholds and what of the account does not balance. What it
 * started is gone when it returns. Throws UsageError before it starts anything.
 */
export async function runScenario(run: ScenarioRun): Promise<readonly string[]> {
  const { scenario, settings, progress, signal } = run;
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
    target = given ?? (await startOwnStack({ settings, progress, signal }));
    return await loadTarget({ ...run, target, k6, folder, reportsFolder, agentsFile });
  } finally {
    if (target?.own) progress.report('Stopping the stack');
    await target?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the folder of reports, and checks that a file can be made in it. Throws UsageError if not. */
export function makeReportsFolder(wanted: string): string {
  const folder = path.resolve(wanted);
  // One by one: a recursive mkdir of Node tries for ever where a parent exists and mkdir says ENOENT, as under /proc.
  const make = (each: string) => {
    if (statSync(each, { throwIfNoEntry: false })?.isDirectory() === true) return;
    if (path.dirname(each) !== each) make(path.dirname(each));
    mkdirSync(each);
  };
  try {
    make(folder);
    rmdirSync(mkdtempSync(path.join(folder, '.try-')));
  } catch (err) {
    const why = err instanceof Error ? err.message : String(err);
    throw new UsageError(`--reports-dir ${wanted}: reports cannot be put there (${why})`);
  }
  return folder;
}

/**
 * Converts a tab-separated file with User-Agents in its last column (# begins a comment) for k6; their number. Throws
 * UsageError when there are none that can be sent.
 */
function convertAgentsFile(file: string, converted: string): number {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (err) {
    throw new UsageError(`--user-agents ${file}: ${err instanceof Error ? err.message : String(err)}`);
  }
  const agents = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t').at(-1) ?? '')
    // Visible ASCII with spaces inside; Go sends other characters in another encoding.
    .filter((agent) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(agent))
    // The platform is unknown: any answer of an App link is right.
    .map((agent) => ({ text: agent, isBot: isbot(agent), platform: '' }));
  if (agents.length === 0)
    throw new UsageError(`--user-agents ${file}: it has no User-Agent that can be sent`);
  writeFileSync(converted, JSON.stringify(agents));
  return agents.length;
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
  const removeLinks = await makeLinks({
    ...{ api, target, plan: scenario.links, prefix, count, folder, signal },
    progress: (done) => {
      progress.show(`${done} of ${count} links made`);
    },
  });
  const account = await openAccount({ target, api, progress, signal });
  try {
    const report = reportFiles(load);
    const given = Object.keys(scenario.defaults).map((name) => `${name} ${settings.text(name)}`);
    const title = `${scenario.name}: ${given.join(', ')}`;
    progress.report(`Running ${title}`);
    const { held, printed } = await applyLoad(load, prefix, report);
    const summary = JSON.parse(readFileSync(report.summary, 'utf8')) as K6Summary;
    const explained = scenario.explain?.(summary, settings) ?? [];
    console.log([`\n${title}\n`, printed.trimEnd(), ...explained, ...firstFailures(report)].join('\n'));
    const unbalanced = await account.settleAndCompare(summary);
    console.log(`\nReport: ${path.relative(process.cwd(), report.html)}`);
    if (held || scenario.seeksLimit === true) return unbalanced;
    const broken = brokenThresholds(summary);
    return [...(broken.length === 0 ? ['k6 says that a threshold broke'] : broken), ...unbalanced];
  } finally {
    await account.close();
    await removeLinks();
  }
}

/** Runs k6, and the scenario's own part beside it. A part of the stack that ends by itself ends both. */
async function applyLoad(load: Load, prefix: string, report: ReportFiles) {
  const { scenario, settings, progress, target, k6, folder } = load;
  const ended = new AbortController();
  const signal = AbortSignal.any([load.signal, ended.signal]);
  void target.failed.then((reason) => {
    ended.abort(new StackError(reason));
  });
  const startedAt = performance.now();
  const at = async (seconds: number) => {
    const leftMs = seconds * 1000 - (performance.now() - startedAt);
    await sleep(Math.max(0, leftMs), undefined, { signal });
  };
  const during = (async () => {
    await scenario.during?.({ target, settings, at, say: progress.report });
  })().catch((err: unknown) => {
    ended.abort(err);
  });
  try {
    return await runK6({
      k6,
      script: path.join(SCRIPTS, scenario.script),
      env: k6Env(load, prefix, report),
      folders: [SCRIPTS, folder, path.dirname(report.html)],
      logFile: report.log,
      summaryFile: report.summary,
      onProgress: ({ seconds, visits, failed, p95Ms }) => {
        const rate = (visits / Math.max(1, seconds)).toFixed(0);
        progress.show(
          `${seconds.toFixed(0)} s: ${visits} visits, ${rate} a second, p95 ${p95Ms.toFixed(1)} ms, ${failed} failed`,
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

function reportFiles({ reportsFolder, scenario }: Load): ReportFiles {
  const time = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15);
  const base = path.join(reportsFolder, `${scenario.name}-${time}`);
  return { html: `${base}.html`, summary: `${base}.json`, log: `${base}.log` };
}

/** The first errors of the script; the log has all. */
function firstFailures({ log }: ReportFiles): readonly string[] {
  const logged = readFileSync(log, 'utf8').matchAll(/level=error msg="((?:[^"\\]|\\.)*)" source=console/g);
  const lines = [...logged].slice(0, FAILURES_SHOWN).map(([, message = '']) => `✗ ${message}`);
  return lines.length === 0 ? [] : ['', ...lines, `  The log: ${path.relative(process.cwd(), log)}`];
}

function k6Env(load: Load, prefix: string, report: ReportFiles): Record<string, string> {
  const { scenario, settings, target, agentsFile } = load;
  const { DURATION_SECONDS: seconds } = scenario.defaults;
  // A plot has 300 points at most, and a short run enough to be drawn at all.
  const period =
    seconds === undefined ? 1 : Math.max(1, Math.ceil(settings.number('DURATION_SECONDS') / 300));
  return {
    ...Object.fromEntries(Object.keys(scenario.defaults).map((name) => [name, settings.text(name)])),
    ...scenario.env?.(settings),
    SCENARIO: scenario.name,
    // `at` counts its seconds from here too.
    BEGAN_AT: String(Date.now()),
    PUBLIC_URL: target.publicUrl,
    API_URL: target.apiUrl,
    API_KEY: target.apiKey,
    SLUG_PREFIX: prefix,
    AGENTS_FILE: agentsFile,
    K6_NO_USAGE_REPORT: 'true',
    K6_WEB_DASHBOARD: 'true',
    // No server, just the file at the end.
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: `${period}s`,
    K6_WEB_DASHBOARD_EXPORT: report.html,
  };
}
