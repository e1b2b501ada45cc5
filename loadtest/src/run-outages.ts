import { StackError } from '@smartlink/embedded/stack-error';
import type { RunningLoad } from './during.js';
import type { Engines } from './engines.js';
import { planOutages } from './outage-plan.js';
import type { Outage } from './outage-plan.js';
import { readRedirectMetrics, eventsOnTheirWay } from './redirect-metrics.js';
import type { RedirectMetrics } from './redirect-metrics.js';
import type { Target } from './target.js';

const NAMES = { clickhouse: 'ClickHouse', redis: 'Redis', postgres: 'Postgres' };
const NOTHING_COUNTED: RedirectMetrics = new Map();

/**
 * Stops the engines of the load's own stack one after the other and starts each again, as planOutages says. Rejects when
 * one does not come back, or too late for what visitors are held to afterwards.
 */
export async function runOutages(load: RunningLoad): Promise<void> {
  const { target, settings } = load;
  if (target.own === null) throw new Error('outages are for a stack of our own');
  for (const outage of planOutages(settings).outages) await runOutage(load, target.own.engines, outage);
}

async function runOutage(load: RunningLoad, engines: Engines, outage: Outage): Promise<void> {
  const { at, say, target } = load;
  const name = NAMES[outage.engine];
  const engine = engines[outage.engine];
  await at(outage.stopSeconds);
  say(`${name} is stopped`);
  const stopped = engine.stop();
  const restart = async () => {
    await stopped;
    const startedAt = performance.now();
    await engine.start();
    return (performance.now() - startedAt) / 1000;
  };
  try {
    await at(outage.startSeconds);
    if (outage.engine === 'clickhouse') say(`${name} has been away: ${await describeSpool(target)}`);
  } catch (err) {
    await restart();
    throw err;
  }
  const seconds = await restart();
  say(`${name} answers again, ${seconds.toFixed(1)} s after it was started`);
  const limitSeconds = outage.backSeconds - outage.startSeconds;
  if (seconds > limitSeconds)
    throw new StackError(
      `${name} took ${seconds.toFixed(1)} s to start, and the plan gives it ${limitSeconds.toFixed(1)} s: use a longer --duration-seconds`,
    );
}

async function describeSpool({ metricsUrl }: Target): Promise<string> {
  if (metricsUrl === null) return 'what waits for it is not known';
  return eventsOnTheirWay(await readRedirectMetrics(metricsUrl), NOTHING_COUNTED) ?? 'nothing waits for it';
}
