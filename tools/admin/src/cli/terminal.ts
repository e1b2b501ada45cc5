import { createInterface } from 'node:readline/promises';
import { SingleBar } from 'cli-progress';

/** A fault that the user can correct; its message is one line and all that is printed. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The process around the command. */
export type Terminal = {
  /** As process.argv: node, script, arguments. */
  readonly argv: readonly string[];
  readonly env: Env;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves once standard output accepts more; false when its reader has closed it. */
  readonly stdoutReady: () => Promise<boolean>;
  /** Standard input is a terminal, so questions can be asked. */
  readonly isTerminal: boolean;
  readonly isStdoutTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** Calls `listener` at SIGINT and SIGTERM instead of ending the process. The result removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly columns: number | undefined;
};

/** Prints `value` as one line of JSON, or `text`. */
export function print(terminal: Terminal, isJson: boolean | undefined, value: unknown, text: string): void {
  terminal.stdout(isJson === true ? `${JSON.stringify(value)}\n` : text);
}

/** Throws Problem unless the user types yes; `what` names the action where no one can be asked. */
export async function confirm(terminal: Terminal, what: string, question: string): Promise<void> {
  if (!terminal.isTerminal) throw new Problem(`${what} cannot be undone: add --yes.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} Type yes: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new Problem('Nothing was deleted.');
  } finally {
    prompt.close();
  }
}

/**
 * The result of `work`, whose signal SIGINT and SIGTERM abort. What it throws then becomes the Problem
 * `Interrupted<left()>`, unless it is a Problem itself.
 */
export async function whileListening<T>(
  terminal: Terminal,
  left: () => string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  try {
    return await work(interrupt.signal);
  } catch (err) {
    if (interrupt.signal.aborted && !(err instanceof Problem)) throw new Problem(`Interrupted${left()}`);
    throw err;
  } finally {
    stopListening();
  }
}

const SLOW_MS = 3_000;

export const SLOW_DELETE = 'Waiting for ClickHouse, which deletes the visits: that may take minutes.';

/** The result of `work`; prints `line` on standard error after three seconds. */
export async function sayWhenSlow<T>(terminal: Terminal, line: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    terminal.stderr(`${line}\n`);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

export type OnProgress = (done: number) => void;

const LINE_INTERVAL_MS = 10_000;

/**
 * The result of `work`, with its progress on standard error: a bar in a terminal, otherwise a line every ten seconds.
 * `unit` is the plural name of what is counted.
 */
export async function withProgress<T>(
  terminal: Terminal,
  { doing, total, unit = 'events' }: { doing: string; total: number; unit?: string },
  work: (add: OnProgress) => Promise<T>,
): Promise<T> {
  if (!terminal.isStderrTerminal || total <= 0) return work(createLines(terminal, doing, total, unit));
  const bar = new SingleBar({
    format: `${doing} {bar} {percentage} % of ${rounded(total)} ${unit}, {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // Ctrl-C is handled by whileListening.
    gracefulExit: false,
  });
  bar.start(total, 0);
  try {
    return await work((done) => {
      bar.increment(done);
    });
  } finally {
    bar.stop();
  }
}

function createLines(terminal: Terminal, doing: string, total: number, unit: string): OnProgress {
  let done = 0;
  let printedAt = performance.now();
  return (more) => {
    done += more;
    if (performance.now() - printedAt < LINE_INTERVAL_MS) return;
    printedAt = performance.now();
    const of = total > 0 ? ` of ${rounded(total)}` : '';
    terminal.stderr(`${doing}: ${rounded(done)}${of} ${unit}\n`);
  };
}

const rounded = (count: number): string => (Number.isInteger(count) ? `${count}` : count.toFixed(1));
