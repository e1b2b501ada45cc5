export type Progress = {
  /** Prints a line that stays. */
  readonly report: (line: string) => void;
  /** Replaces the last line of a terminal; in a log, prints a line every 10 s. */
  readonly show: (line: string) => void;
};

const LINE_EVERY_MS = 10_000;

/** Progress on standard error, with the seconds since now. */
export function createProgress(): Progress {
  const startedAt = performance.now();
  const { isTTY } = process.stderr;
  let shownAt = 0;
  const print = (line: string, end: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${`${seconds} s`.padStart(8)}  ${line}${end}`);
  };
  return {
    report(line) {
      print(line, '\n');
    },
    show(line) {
      if (!isTTY && performance.now() - shownAt < LINE_EVERY_MS) return;
      print(line, isTTY ? '' : '\n');
      shownAt = performance.now();
    },
  };
}
