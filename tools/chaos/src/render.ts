import type { Figure } from './figures.js';
import type { JudgedPromise } from './judge.js';

export type RunFacts = {
  readonly size: 'short' | 'full';
  /** `2026-03-10`. */
  readonly date: string;
  readonly machine: string;
};

/** Returns one line a figure, for a terminal, and one for each promise that has none or not all. */
export function renderLines(judged: readonly JudgedPromise[]): string {
  return judged
    .flatMap((one) => {
      const { promise, figures, verdict } = one;
      const id = promise.id.padEnd(4);
      if (figures.length === 0) return [`${id} ${verdict.padEnd(9)} ${promise.goal}`];
      const lines = figures.map((figure) => {
        const word = verdict === 'failed' ? 'failed' : wordOf(figure);
        return `${id} ${word.padEnd(9)} ${figure.trial}: ${resultOf(figure)}`;
      });
      return verdict === 'incomplete' ? [...lines, `${id} ${inWords(one)}`] : lines;
    })
    .join('\n');
}

const SHORT =
  'This run was short: its trials are smaller than the promises name, and “held” means at the size that stands beside it.';

/** Returns docs/reliability.md. It names no commit, so that the same figures make the same page. */
export function renderPage(judged: readonly JudgedPromise[], run: RunFacts): string {
  return [
    '# What is promised of reliability, and what was measured',
    `Made by \`npm run chaos${run.size === 'full' ? ' -- --full' : ''}\` on ${run.date}: ${run.machine}.`,
    'Real processes are killed, stopped, cut off and fed damaged files; every event, visit and change is counted. ' +
      'A count that is wrong fails the run, and `npm test`, which does the same at a smaller size. A time that is ' +
      'missed fails nothing, since it is the machine’s: it stands here as “not held”.',
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
  return `${sum}; ${open.map((one) => `${one.promise.id} ${inWords(one)}`).join('; ')}.`;
}

function inWords({ verdict, figures, trials, skipped }: JudgedPromise): string {
  if (verdict === 'incomplete') return `incomplete, figures of ${figures.length} of ${trials} trials`;
  return skipped > 0 && verdict !== 'skipped' ? `${verdict}, ${skipped} skipped` : verdict;
}

function renderPromise(one: JudgedPromise): string {
  const { promise, figures } = one;
  const heading = `## ${promise.id}: ${promise.goal}\n\nPromised: ${promise.bound}. **${capital(inWords(one))}.**`;
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
