import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { RollupObserver } from '../analytics/analytics.js';
import { DURATION_BUCKETS_SECONDS } from './duration-buckets.js';

type TurnOutcome = Parameters<RollupObserver['onTurn']>[0];
type StepKind = Parameters<RollupObserver['onStep']>[0]['kind'];

// What labels hold is known before it happens: a counter that begins with its first event has no rate() for it.
const TURN_OUTCOMES: readonly TurnOutcome[] = ['done', 'skipped', 'failed'];
const STEP_KINDS: readonly StepKind[] = ['days', 'late cells', 'reopened', 'dropped'];

/** Adds the figures of rolling visits up to `registry`, and returns what feeds them. */
export function observeRollups(registry: Registry): RollupObserver {
  const turns = new Counter({
    name: 'smartlink_rollup_turns_total',
    help: 'Turns at rolling visits up; those that another process took are skipped',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const steps = new Counter({
    name: 'smartlink_rollup_steps_total',
    help: 'What turns have done: runs of days and late cells rolled up, days reopened, months of events dropped',
    labelNames: ['kind'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'smartlink_rollup_duration_seconds',
    help: 'Time of a turn that was not skipped',
    buckets: [...DURATION_BUCKETS_SECONDS, 60, 600],
    registers: [registry],
  });
  const lastSuccess = new Gauge({
    name: 'smartlink_rollup_last_success_timestamp_seconds',
    help: 'When this process last ended a turn well, in seconds since 1970; 0 before the first',
    registers: [registry],
  });
  for (const outcome of TURN_OUTCOMES) turns.inc({ outcome }, 0);
  for (const kind of STEP_KINDS) steps.inc({ kind: labelOf(kind) }, 0);
  return {
    onTurn(outcome, durationMs) {
      turns.inc({ outcome });
      if (outcome === 'done') lastSuccess.setToCurrentTime();
      if (outcome !== 'skipped') duration.observe(durationMs / 1000);
    },
    onStep: ({ kind }) => {
      steps.inc({ kind: labelOf(kind) });
    },
  };
}

function labelOf(kind: StepKind): string {
  return kind.replace(' ', '_');
}
