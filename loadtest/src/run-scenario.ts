import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isbot } from 'isbot';
import { createSmartlinkClient } from '@smartlink/client';
import { StackError } from '@smartlink/embedded/stack-error';
import { openAccount } from './account.js';
import { brokenThresholds, findK6, type K6, type K6Summary, runK6 } from './k6.js';
import { createLinks, deleteLinks } from './links.js';
import type { Scenario } from './scenarios.js';
import { type NumberName, type Settings, UsageError } from './settings.js';
import { readTarget, type Run, startOwnStack, type Target } from './target.js';

export type ScenarioRun = Run & { readonly scenario: Scenario; readonly settings: Settings };

const SCRIPTS = path.resolve(import.meta.dirname, '../scenarios');
// 100,000 smartlinks take the API some time; the client waits for its rate limit.
const API_CALL_LIMITS = { timeoutMs: 60_000, deadlineMs: 900_000, retries: 10 };
const FAILURES_SHOWN = 5;

/**
 * Runs a scenario and its account; returns broken thresholds and faults of the account. It stops what it started. Throws
 * UsageError before it starts anything.
 */
export async function runScenario(run: ScenarioRun): Promise<readonly string[]> {
  const { scenario, settings, report } = run;
  const faults = scenario.faults?.(settings) ?? [];
  if (faults.length > 0) throw new UsageError(faults.join('; '));
  const given = readTarget(settings);
  const time = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15);
  const reportFile = path.join(makeReportsFolder(settings.REPORTS_DIR), `${scenario.name}-${time}`);
  const agents = readAgents(settings.USER_AGENTS);
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-files-'));
  let target: Target | null = null;
  try {
    writeFileSync(path.join(folder, 'agents.json'), JSON.stringify(agents));
    const k6 = await findK6(run);
    if (k6 === null) return ['k6 is missing'];
    target = given ?? (await startOwnStack(settings.REDIRECT_PROCESSES, run));
    const slugPrefix = `lt${Date.now().toString(36)}x`;
    return await loadTarget({ ...run, target, k6, folder, reportFile, slugPrefix });
  } finally {
    if (target?.own) report('Stopping the stack');
    await target?.own?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the folder of reports and checks that it is writable. Throws UsageError if not. */
export function makeReportsFolder(wanted: string): string {
  const folder = path.resolve(wanted);
  try {
    // Not mkdirSync: below /proc its recursion never ends.
    execFileSync('mkdir', ['-p', folder], { stdio: 'pipe' });
    rmdirSync(mkdtempSync(path.join(folder, '.try-')));
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    throw new UsageError(`--reports-dir ${wanted}: reports cannot be written there (${reason})`);
  }
  return folder;
}

type Agent = { readonly text: string; readonly isBot: boolean; readonly platform: string };

/**
 * Reads the visitors: the built-in list, each as often as its share, or the last column of a tab-separated file; # begins a
 * comment. Throws UsageError if the file has none that can be sent.
 */
export function readAgents(file?: string): readonly Agent[] {
  let text: string;
  try {
    text = readFileSync(file ?? path.join(SCRIPTS, 'user-agents.tsv'), 'utf8');
  } catch (err) {
    throw new UsageError(`--user-agents ${file ?? ''}: ${err instanceof Error ? err.message : String(err)}`);
  }
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const agents = rows.flatMap((row): Agent[] => {
    const columns = row.split('\t');
    const agent = columns.at(-1) ?? '';
    // Visible ASCII with spaces inside; k6 sends other characters in another encoding.
    if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(agent)) return [];
    const isBot = isbot(agent);
    // For an unknown platform any answer of an App link is correct.
    if (file !== undefined) return [{ text: agent, isBot, platform: '' }];
    const [share, platform = ''] = columns;
    return Array<Agent>(Number(share)).fill({ text: agent, isBot, platform });
  });
  if (agents.length === 0)
    throw new UsageError(`--user-agents ${file ?? ''}: no User-Agent that can be sent as a header`);
  return agents;
}

type Load = ScenarioRun & {
  readonly target: Target;
  readonly k6: K6;
  /** For temporary files. */
  readonly folder: string;
  /** Start of the paths of the reports. */
  readonly reportFile: string;
  readonly slugPrefix: string;
};

async function loadTarget(load: Load): Promise<readonly string[]> {
  const { scenario, settings, report, signal, target, reportFile, slugPrefix: prefix } = load;
  const api = createSmartlinkClient({ baseUrl: target.apiUrl, apiKey: target.apiKey, ...API_CALL_LIMITS });
  try {
    report(`Creating ${settings.LINKS} links`);
    await createLinks(api, { plan: scenario.links, prefix, count: settings.LINKS }, signal);
    const account = await openAccount(target, api, load);
    try {
      const names = Object.keys(scenario.defaults) as NumberName[];
      report(`Running ${scenario.name}: ${names.map((name) => `${name} ${settings[name]}`).join(', ')}`);
      const held = await applyLoad(load);
      const summary = JSON.parse(readFileSync(`${reportFile}.json`, 'utf8')) as K6Summary;
      const limit = scenario.describeLimit?.(summary, settings);
      if (limit !== undefined) console.log(`\n${limit}`);
      for (const line of firstFailures(`${reportFile}.log`)) console.log(line);
      const unbalanced = await account.settleAndCompare(summary);
      console.log(`\nReport: ${path.relative(process.cwd(), reportFile)}.html`);
      if (held || limit !== undefined) return unbalanced;
      const broken = brokenThresholds(summary);
      return [...(broken.length === 0 ? ['k6 reports a broken threshold'] : broken), ...unbalanced];
    } finally {
      await account.close();
    }
  } finally {
    // The own stack is removed with its links.
    if (!target.own) await deleteLinks(api, prefix);
  }
}

/** Runs k6 and the scenario's `during`. If that rejects or a part of the own stack ends, the load ends. */
async function applyLoad(load: Load): Promise<boolean> {
  const { scenario, settings, report, target, k6, folder, reportFile, slugPrefix } = load;
  const ended = new AbortController();
  const signal = AbortSignal.any([load.signal, ended.signal]);
  void target.own?.failed.then((reason) => {
    ended.abort(new StackError(reason));
  });
  const beganAt = Date.now();
  const at = async (seconds: number) => {
    await sleep(Math.max(0, beganAt + seconds * 1000 - Date.now()), undefined, { signal });
  };
  const during = scenario.during?.({ target, settings, at, report }).catch((err: unknown) => {
    ended.abort(err);
  });
  const scriptSettings = {
    ...settings,
    ...scenario.derived?.(settings),
    SCENARIO: scenario.name,
    BEGAN_AT: beganAt,
    PUBLIC_URL: target.publicUrl,
    API_URL: target.apiUrl,
    API_KEY: target.apiKey,
    SLUG_PREFIX: slugPrefix,
    AGENTS_FILE: path.join(folder, 'agents.json'),
  };
  // A plot has at most 300 points. A breakpoint has no duration.
  const plotSeconds = Math.ceil(settings.DURATION_SECONDS / 300) || 1;
  const env = {
    SETTINGS: JSON.stringify(scriptSettings),
    K6_NO_USAGE_REPORT: 'true',
    K6_WEB_DASHBOARD: 'true',
    // No server: only the file at the end.
    K6_WEB_DASHBOARD_PORT: '-1',
    K6_WEB_DASHBOARD_PERIOD: `${plotSeconds}s`,
    K6_WEB_DASHBOARD_EXPORT: `${reportFile}.html`,
  };
  const script = path.join(SCRIPTS, scenario.script);
  const folders = [SCRIPTS, folder, path.dirname(reportFile)];
  try {
    return await runK6({ k6, script, env, folders, reportFile, signal });
  } finally {
    ended.abort(new Error('the load has ended'));
    await during;
  }
}

/** The first errors of the script; the log has all. */
function firstFailures(log: string): readonly string[] {
  const logged = readFileSync(log, 'utf8').matchAll(/level=error msg="((?:[^"\\]|\\.)*)" source=console/g);
  const lines = [...logged].slice(0, FAILURES_SHOWN).map(([, message = '']) => `✗ ${message}`);
  return lines.length === 0 ? [] : ['', ...lines, `  The log: ${path.relative(process.cwd(), log)}`];
}
