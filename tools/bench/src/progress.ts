import { SingleBar } from 'cli-progress';

const TITLE_WIDTH = 28;

/** Shows on standard error how far `work` is while it runs; `total` is how many steps it has. Returns what it returns. */
export async function withProgress<T>(
  title: string,
  total: number,
  work: (progress: { step: () => void; reach: (steps: number) => void }) => Promise<T>,
): Promise<T> {
  const bar = new SingleBar({
    format: `${title.padEnd(TITLE_WIDTH)} {bar} {value}/{total}  {duration_formatted}`,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    hideCursor: true,
  });
  bar.start(total, 0);
  try {
    return await work({
      step: () => {
        bar.increment();
      },
      reach: (steps) => {
        bar.update(steps);
      },
    });
  } finally {
    bar.stop();
  }
}
