import { startGateway } from './gateway.js';
import type { Gateway } from './gateway.js';
import type { GatewayReport, GatewaySettings } from './protocol.js';

// The process of the embedded ClickHouse. Its parent sends it GatewaySettings over the channel between them and hears
// back the port or what went wrong. When the channel closes, the parent is gone, and so goes this process: an engine
// that nobody looks after would hold the data folder's lock for ever.

// Visits are nobody's to read but this user's, whatever the umask of the shell that started us.
process.umask(0o077);

const GRACE_MS = 10_000;
/** After the grace, this long for killed queries to end and data to be written. */
const LAST_RESORT_MS = 5_000;

let gateway: Promise<Gateway> | null = null;
let stopping = false;

process.once('message', (settings: GatewaySettings) => {
  gateway = startGateway(settings);
  gateway.then(
    ({ port }) => {
      report({ port });
    },
    (err: unknown) => {
      report({ failure: err instanceof Error ? err.message : String(err) });
      void stop(1);
    },
  );
});
process.on('disconnect', () => void stop(0));
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
process.on('uncaughtException', (err) => {
  console.error('uncaught exception:', err);
  void stop(1);
});

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  // process.exit waits for running native queries, without a limit; SIGKILL does not, and loses no committed row.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS + LAST_RESORT_MS).unref();
  try {
    await (await gateway)?.stop(GRACE_MS);
  } catch (err) {
    if (exitCode === 0) console.error('the gateway did not stop cleanly:', err);
  }
  process.exit(exitCode);
}

function report(message: GatewayReport): void {
  if (process.connected) process.send?.(message);
}
