import { spawn } from 'node:child_process';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openVisitor } from './changes-visitor.js';

const SCANNER = fileURLToPath(new URL('changes-scanner.mjs', import.meta.url));
const CONNECTIONS = 4;
const PAUSE_MS = 2;

export type ScanResult = {
  readonly sent: number;
  readonly answered: number;
  readonly statuses: Readonly<Record<string, number>>;
};

/** Visits slugs that nobody has, or the one that is given, from a process of its own, and returns what came. */
export async function scan(
  port: number,
  load: { readonly perSecond: number; readonly seconds: number; readonly slug: string | null },
): Promise<ScanResult> {
  const numbers = [port, load.perSecond, load.seconds].map(String);
  const scanner = spawn(process.execPath, [SCANNER, ...numbers, ...(load.slug === null ? [] : [load.slug])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await readText(scanner.stdout)) as ScanResult;
}

/**
 * Visits `slug` every few ms on a few connections, and returns how long each visit took, in ms. Rejects when one leads
 * elsewhere than to `expected`.
 */
export async function visitFor(
  port: number,
  { seconds, slug, expected }: { seconds: number; slug: string; expected: string },
): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const visitOn = async (): Promise<number[]> => {
    const visitor = await openVisitor(port);
    const durations: number[] = [];
    try {
      while (performance.now() < end) {
        const from = performance.now();
        const answer = await visitor.visit(slug);
        durations.push(performance.now() - from);
        if (answer !== expected) throw new Error(`${slug} answered ${answer}`);
        await sleep(PAUSE_MS);
      }
    } finally {
      visitor.close();
    }
    return durations;
  };
  return (await Promise.all(Array.from({ length: CONNECTIONS }, visitOn))).flat();
}
