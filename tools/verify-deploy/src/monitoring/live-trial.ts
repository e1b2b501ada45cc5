import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_LINKS } from '@smartlink/embedded/demo-links';
import { runProgram } from '../run-program.js';

const PAUSE_MS = 50;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
// Each demo link by its address and by its code, and one that does not exist.
const PATHS = [
  ...DEMO_LINKS.map(({ configuration }) => `/${configuration.smartlinkUrl ?? ''}`),
  ...DEMO_LINKS.map(({ configuration }) => `/q/${configuration.smartlinkUrl ?? ''}`),
  '/no-such-slug',
];

export type Visitors = { readonly count: () => number; readonly stop: () => Promise<void> };

/** Visits the demo links, and asks the API for figures, about twenty times a second until stopped. Faults are no error here. */
export function startVisitors(stack: {
  readonly publicBaseUrl: string;
  readonly managementUrl: string;
  readonly apiKey: string;
}): Visitors {
  const stopping = new AbortController();
  let count = 0;
  const get = (url: string, headers: Record<string, string>) =>
    fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  const run = async () => {
    const key = { authorization: `Bearer ${stack.apiKey}` };
    while (!stopping.signal.aborted) {
      await get(stack.publicBaseUrl + (PATHS[count % PATHS.length] ?? '/'), { 'user-agent': BROWSER });
      if (count % 5 === 0) await get(`${stack.managementUrl}/api/v1/smartlink`, key);
      if (count % 11 === 0) await get(`${stack.managementUrl}/api/v1/analytics/summary`, key);
      if (count % 13 === 0) await createLink(stack);
      count += 1;
      await sleep(PAUSE_MS);
    }
  };
  const running = run();
  return {
    count: () => count,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function createLink(stack: { readonly managementUrl: string; readonly apiKey: string }): Promise<void> {
  const body = JSON.stringify({
    configuration: { smartlinkName: 'Watched', smartlinkType: 'Url' },
    shortener: { url: 'https://example.com/' },
  });
  await fetch(`${stack.managementUrl}/api/v1/smartlink`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(5_000),
  }).then(
    (response) => response.arrayBuffer(),
    () => undefined,
  );
}

/** Returns the number of one of the stack's processes, by its name in `processes.json`. */
export function pidOf(processesFile: string, name: string): number {
  const processes = JSON.parse(readFileSync(processesFile, 'utf8')) as { name: string; pid: number }[];
  const found = processes.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${processesFile} names no ${name}`);
  return found.pid;
}

/** Returns the numbers of a process's children that have not ended. */
export async function childrenOf(pid: number, signal: AbortSignal): Promise<readonly number[]> {
  const { stdout } = await runProgram(['ps', '-A', '-o', 'pid=,ppid=,stat='], { signal });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([child, parent, state = '']) =>
      Number(parent) === pid && !state.startsWith('Z') ? [Number(child)] : [],
    );
}
