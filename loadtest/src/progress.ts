const LINE_EVERY_MS = 10_000;

export type Progress = {
  /** Says a line that stays. */
  readonly report: (line: string) => void;
  /** Says how far something is: on one line of a terminal, now and then a line of a log. */
  readonly show: (line: string) => void;
};

/** Returns what tells a person how far a run is, on standard error, with the seconds since now. */
export function createProgress(): Progress {
  const startedAt = performance.now();
  const isTerminal = process.stderr.isTTY;
  let shownAt = 0;
  let isOpen = false;
  const withSeconds = (line: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return `${`${seconds} s`.padStart(8)}  ${line}`;
  };
  return {
    report(line) {
      process.stderr.write(`${isOpen ? '\r\x1b[K' : ''}${withSeconds(line)}\n`);
      isOpen = false;
    },
    show(line) {
      if (isTerminal) {
        process.stderr.write(`\r\x1b[K${withSeconds(line)}`);
        isOpen = true;
      } else if (performance.now() - shownAt >= LINE_EVERY_MS) {
        process.stderr.write(`${withSeconds(line)}\n`);
        shownAt = performance.now();
      }
    },
  };
}
