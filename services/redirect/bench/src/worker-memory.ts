import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Usage } from './memory-probe.js';
import type { RedirectProcess } from './redirect-process.js';

const PROBE = fileURLToPath(new URL('../dist/memory-probe.js', import.meta.url));
const ANSWER_LIMIT_MS = 60_000;

/** Returns the arguments of node that make the processes of a service tell their memory, and where they can be asked. */
export function probed(folder: string): { readonly nodeArgs: readonly string[]; readonly folder: string } {
  const probe = pathToFileURL(PROBE);
  probe.searchParams.set('folder', folder);
  return { nodeArgs: ['--expose-gc', '--import', probe.href], folder };
}

/** Returns what the one worker of a service holds once its garbage is collected. Rejects after a minute. */
export async function weighWorker(service: RedirectProcess, folder: string): Promise<Usage> {
  const [pid = 0] = service.workerPids();
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const socket = connect(path.join(folder, `${pid}.sock`));
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('A worker did not tell its memory')));
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    socket.once('error', reject);
    socket.once('end', resolve);
  });
  return JSON.parse(said) as Usage;
}
