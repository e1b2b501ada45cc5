import { type Gateway, startGateway } from './gateway.js';
import type { GatewayReport, GatewaySettings } from './start-clickhouse.js';

// The process of the embedded ClickHouse. The parent sends GatewaySettings over the IPC channel and receives a
// GatewayReport. When the channel closes, the parent has died and this process ends too: otherwise it would hold the
// lock of the data folder for ever.

// Only this user may read visits, whatever the umask of the shell.
process.umask(0o077);

const GRACE_MS = 10_000;
/** Added to the grace for killed queries to end and data to be written. */
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
  // process.exit waits for running native queries without a limit. SIGKILL loses no committed row.
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
