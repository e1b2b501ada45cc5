import { createColors } from 'picocolors';
import { toPrintable } from '@smartlink/import/text';
import type { Env, Terminal } from './terminal.js';

const GAP = '  ';
const WIDTH_DEFAULT = 80;
const WIDTH_MIN = 40;
/** No column is made narrower than this to fit. */
const COLUMN_WIDTH_MIN = 8;

/** Where a table is printed. */
export type Screen = Pick<Terminal, 'isStdoutTerminal' | 'columns' | 'env'>;

/** Columns for text: those of the terminal, or no limit where the output goes to a file or a pipe. */
export const widthOf = ({ isStdoutTerminal, columns }: Screen): number =>
  isStdoutTerminal ? Math.max(WIDTH_MIN, columns ?? WIDTH_DEFAULT) : Infinity;

/** https://no-color.org: any value but the empty one. */
export const colorsOf = ({ isStdoutTerminal, env }: { isStdoutTerminal: boolean; env: Env }) =>
  createColors(isStdoutTerminal && (env['NO_COLOR'] ?? '') === '');

const GOOD = new Set(['ok', 'active', 'Active']);
const DOUBTFUL = new Set(['warning', 'Paused', 'expired', 'unknown']);
const BAD = new Set(['problem', 'revoked', 'Deleted']);

/**
 * A table with columns as wide as their longest cell. Where that is wider than the screen, the columns `spare` are left
 * out, the first one first, and the widest others are wrapped. A cell may have several lines. Cells of columns named state
 * or status are coloured.
 */
export function formatTable(
  screen: Screen,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  spare: readonly string[] = [],
): string {
  const colors = colorsOf(screen);
  const width = widthOf(screen);
  const columns = headings.map((heading, i) => {
    const cells = rows.map((row) => (row[i] ?? '').split('\n').map(toPrintable));
    const natural = Math.max(heading.length, ...cells.flat().map((line) => line.length));
    return { heading, cells, width: natural, isState: /^(state|status)$/i.test(heading) };
  });
  const hidden: string[] = [];
  const shown = () => columns.filter(({ heading }) => !hidden.includes(heading));
  for (const heading of spare) {
    if (totalWidth(shown()) <= width) break;
    hidden.push(heading);
  }
  const fitted = shown();
  narrow(fitted, width);
  const paint = (text: string): string => {
    if (GOOD.has(text)) return colors.green(text);
    if (DOUBTFUL.has(text)) return colors.yellow(text);
    return BAD.has(text) ? colors.red(text) : text;
  };
  const line = (texts: readonly string[], paintCell: (text: string, isState: boolean) => string) =>
    fitted
      .map(({ width: columnWidth, isState }, i) => {
        const text = texts[i] ?? '';
        const isLast = texts.slice(i + 1).every((later) => later === '');
        return paintCell(text, isState) + (isLast ? '' : ' '.repeat(columnWidth - text.length));
      })
      .join(GAP)
      .trimEnd();
  const lines = [
    line(
      fitted.map(({ heading }) => heading),
      (text) => (text === '' ? '' : colors.bold(text)),
    ),
    ...rows.flatMap((_, row) => {
      const cells = fitted.map(({ cells: all, width: columnWidth }) =>
        (all[row] ?? []).flatMap((text) => wrap(text, columnWidth)),
      );
      const height = Math.max(...cells.map((cell) => cell.length));
      return Array.from({ length: height }, (__, i) =>
        line(
          cells.map((cell) => cell[i] ?? ''),
          (text, isState) => (isState ? paint(text) : text),
        ),
      );
    }),
    ...(hidden.length === 0
      ? []
      : [colors.dim(`Not shown in this width: ${hidden.join(', ')}; --json prints them.`)]),
  ];
  return `${lines.join('\n')}\n`;
}

const totalWidth = (columns: readonly { readonly width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1);

/** Takes from the widest column until all fit. */
function narrow(columns: readonly { width: number }[], width: number): void {
  for (let excess = totalWidth(columns) - width; excess > 0; excess -= 1) {
    const widest = columns.reduce((a, b) => (b.width > a.width ? b : a));
    if (widest.width <= COLUMN_WIDTH_MIN) return;
    widest.width -= 1;
  }
}

/** Text whose paragraphs of unindented lines are wrapped again. */
export const wrapParagraphs = (text: string, width: number): string =>
  text.replace(/^\S.*(?:\n\S.*)*$/gm, (paragraph) => wrap(paragraph.replaceAll('\n', ' '), width).join('\n'));

/** Lines of at most `width`, cut between words, or within one that is too long. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
