import type { Logger } from './logger.js';

export type ShutdownStep = { readonly name: string; readonly run: () => Promise<void> | void };

/**
 * Ends the process in order. On SIGTERM, SIGINT, an uncaught exception or an unhandled rejection the steps run
 * one after another; a step that fails is logged and the next one runs all the same, since what comes after (a
 * buffer to be written, say) matters more than what broke. After the last step, or when `deadlineMs` is over, the
 * process exits: 0 after a signal, 1 after a fault (one during the shutdown too) or a missed deadline.
 *
 * Returns `shutdown`, which begins the same from inside and may be called more than once.
 */
export function installShutdown(options: {
  log: Logger;
  deadlineMs: number;
  steps: readonly ShutdownStep[];
}): (reason: string, exitCode?: number) => void {
  const { log, deadlineMs, steps } = options;
  let begun = false;
  let worstExitCode = 0;

  const shutdown = (reason: string, exitCode = 0): void => {
    worstExitCode = Math.max(worstExitCode, exitCode);
    if (begun) return;
    begun = true;
    log.info({ reason }, 'shutdown begins');
    // Not unref'd: a step that waits for nothing the event loop knows of must not end the process early and with 0.
    setTimeout(() => {
      log.error({ deadlineMs }, 'shutdown took too long');
      process.exit(1);
    }, deadlineMs);
    void runSteps(log, steps).then((allRan) => {
      log.info('shutdown is complete');
      process.exit(allRan ? worstExitCode : 1);
    });
  };

  process.on('SIGTERM', () => {
    shutdown('SIGTERM');
  });
  process.on('SIGINT', () => {
    shutdown('SIGINT');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught exception');
    shutdown('uncaught exception', 1);
  });
  process.on('unhandledRejection', (err) => {
    log.fatal({ err }, 'unhandled rejection');
    shutdown('unhandled rejection', 1);
  });
  return shutdown;
}

async function runSteps(log: Logger, steps: readonly ShutdownStep[]): Promise<boolean> {
  let allRan = true;
  for (const step of steps) {
    try {
      await step.run();
    } catch (err) {
      allRan = false;
      log.error({ err, step: step.name }, 'a shutdown step failed');
    }
  }
  return allRan;
}
