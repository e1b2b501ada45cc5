import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PROMISES } from './promises.js';

// A line of recordFigure or recordSkip (tools/test-support).
const figureSchema = z.union([
  z.object({ promise: z.string().min(1), trial: z.string().min(1), skipped: z.string().min(1) }),
  z.object({
    promise: z.string().min(1),
    trial: z.string().min(1),
    measured: z.string().min(1),
    holds: z.boolean(),
  }),
]);

export type Figure = Readonly<z.infer<typeof figureSchema>>;

/** Lines of JSON, none if the file does not exist. Throws with an invalid line. */
export function readFigures(file: string): Figure[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return figureSchema.parse(JSON.parse(line));
      } catch {
        throw new Error(`This line is not a figure: ${line}`);
      }
    });
}

const FOLDERS = ['services/redirect/test', 'services/management/test', 'tools/chaos/test'];

/** Test files that record figures, by path below the root. Their sources are the only list of trials. */
export function findTrials(root: string) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.int.test.ts'))
      .toSorted()
      .map((name) => parseTrial(`${folder}/${name}`, readFileSync(path.join(root, folder, name), 'utf8'))),
  ).filter(({ promises }) => promises.length > 0);
}

/** `promises`: the ids in the source, each once. `figures`: the id of each recordFigure call. */
export function parseTrial(file: string, source: string) {
  const ids = (pattern: RegExp) => Array.from(source.matchAll(pattern), ([, id = '']) => id);
  return {
    file,
    promises: [...new Set(ids(/\bpromise: '([A-Z]\d+)'/g))],
    figures: ids(/\brecordFigure\(\{\s*promise: '([A-Z]\d+)'/g),
  };
}

export type TrialFile = ReturnType<typeof parseTrial>;

/** Minimum number of figures per promise in a complete run. A call shared by several cases counts as one. */
export function countTrials(trials: readonly TrialFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of trials.flatMap(({ figures }) => figures)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * `failed`: a test file with trials of the promise failed, so its counts are unreliable. `incomplete`: trials without a
 * figure. `not held`: the counts are right, a time was missed. `skipped`: no trial could run here. `held`: all trials
 * that could run here held.
 */
export type Verdict = 'held' | 'not held' | 'failed' | 'incomplete' | 'skipped' | 'no figure';

/** `failed`: ids of promises with a failed test file. `trials`: from countTrials. */
export function judge(
  promises: typeof PROMISES,
  figures: readonly Figure[],
  { failed, trials }: { failed: ReadonlySet<string>; trials: ReadonlyMap<string, number> },
) {
  return promises.map((promise) => {
    const own = figures
      .filter((figure) => figure.promise === promise.id)
      .toSorted((a, b) => (a.trial < b.trial ? -1 : 1));
    const figuresMin = trials.get(promise.id) ?? 0;
    const verdict = failed.has(promise.id) ? 'failed' : verdictOf(own, figuresMin);
    const skipped = own.filter((figure) => 'skipped' in figure).length;
    return { ...promise, verdict, figures: own, trials: figuresMin, skipped };
  });
}

export type JudgedPromise = ReturnType<typeof judge>[number];

function verdictOf(figures: readonly Figure[], trials: number): Verdict {
  if (figures.length === 0) return 'no figure';
  if (figures.length < trials) return 'incomplete';
  const measured = figures.filter((figure) => 'measured' in figure);
  if (measured.length === 0) return 'skipped';
  return measured.every(({ holds }) => holds) ? 'held' : 'not held';
}

/** Ids of figures without a promise; misspelt ones would otherwise be ignored. */
export function findUnknownPromises(figures: readonly Figure[]): string[] {
  const known = new Set(PROMISES.map(({ id }) => id));
  return [...new Set(figures.map(({ promise }) => promise).filter((id) => !known.has(id)))];
}

/** A missed time does not fail a run, because it depends on the machine. */
export function isFailure(judged: readonly JudgedPromise[]): boolean {
  return judged.some(({ verdict }) => ['failed', 'incomplete', 'no figure'].includes(verdict));
}

/** One line per figure, for a terminal, and one per promise without figures or with too few. */
export function renderLines(judged: readonly JudgedPromise[]): string {
  return judged
    .flatMap((one) => {
      const { figures, verdict, goal } = one;
      const id = one.id.padEnd(4);
      if (figures.length === 0) return [`${id} ${verdict.padEnd(9)} ${goal}`];
      const lines = figures.map((figure) => {
        const word = verdict === 'failed' ? 'failed' : wordOf(figure);
        return `${id} ${word.padEnd(9)} ${figure.trial}: ${resultOf(figure)}`;
      });
      return verdict === 'incomplete' ? [...lines, `${id} ${inWords(one)}`] : lines;
    })
    .join('\n');
}

const SHORT =
  'This run was short: its trials are smaller than the promises name, and “held” means at the size named beside it.';

/** docs/reliability.md. It names no commit, so that equal figures produce an equal page. `date`: `2026-03-10`. */
export function renderPage(
  judged: readonly JudgedPromise[],
  run: { size: 'short' | 'full'; date: string; machine: string },
): string {
  return [
    '# Reliability: promises and measurements',
    `Made by \`npm run chaos${run.size === 'full' ? ' -- --full' : ''}\` on ${run.date}: ${run.machine}.`,
    'Real processes are killed, stopped, cut off and fed damaged files; every event, visit and change is counted. ' +
      'A count that is wrong fails the run, and `npm test`, which does the same at a smaller size. A time that is ' +
      'missed fails nothing, since it is the machine’s: it is shown as “not held”.',
    ...(run.size === 'full' ? [] : [SHORT]),
    renderSummary(judged),
    '<!-- prettier-ignore-start -->',
    ...judged.map(renderPromise),
    '<!-- prettier-ignore-end -->',
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function renderSummary(judged: readonly JudgedPromise[]): string {
  const held = judged.filter(({ verdict }) => verdict === 'held');
  const sum = `${held.length} of ${judged.length} promises held`;
  const open = judged.filter((one) => inWords(one) !== 'held');
  if (open.length === 0) return `${sum}.`;
  return `${sum}; ${open.map((one) => `${one.id} ${inWords(one)}`).join('; ')}.`;
}

function inWords({ verdict, figures, trials, skipped }: JudgedPromise): string {
  if (verdict === 'incomplete') return `incomplete, figures of ${figures.length} of ${trials} trials`;
  return skipped > 0 && verdict !== 'skipped' ? `${verdict}, ${skipped} skipped` : verdict;
}

function renderPromise(one: JudgedPromise): string {
  const { id, goal, bound, figures } = one;
  const result = inWords(one);
  const sentence = `${result.charAt(0).toUpperCase()}${result.slice(1)}.`;
  const heading = `## ${id}: ${goal}\n\nPromised: ${bound}. **${sentence}**`;
  if (figures.length === 0) return `${heading}\n\nThis run has no figure of it.`;
  const rows = figures.map(
    (figure) => `| ${cell(figure.trial)} | ${cell(resultOf(figure))} | ${wordOf(figure)} |`,
  );
  return [heading, ['| trial | measured | |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}

function wordOf(figure: Figure): string {
  if ('skipped' in figure) return 'skipped';
  return figure.holds ? 'held' : 'not held';
}

function resultOf(figure: Figure): string {
  return 'skipped' in figure ? figure.skipped : figure.measured;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
