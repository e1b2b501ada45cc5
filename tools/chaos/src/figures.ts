/** What a trial has shown, as `recordFigure` and `recordSkip` of tools/test-support wrote it. */
export type Figure =
  | { readonly promise: string; readonly trial: string; readonly measured: string; readonly holds: boolean }
  | { readonly promise: string; readonly trial: string; readonly skipped: string };

/** Returns the figures in lines of JSON, in their order. Throws, with the line, at one that is no figure. */
export function parseFigures(text: string): Figure[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseFigure);
}

function parseFigure(line: string): Figure {
  const value = parseJson(line);
  if (isRecord(value) && isText(value['promise']) && isText(value['trial'])) {
    const { promise, trial, measured, holds, skipped } = value;
    if (isText(skipped)) return { promise, trial, skipped };
    if (isText(measured) && typeof holds === 'boolean') return { promise, trial, measured, holds };
  }
  throw new Error(`This line is no figure: ${line}`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
