import type { Settings } from './settings.js';
import type { K6Summary } from './k6-summary.js';

type Step = {
  readonly rate: number;
  readonly visits: number;
  readonly p99Ms: number;
  readonly holds: boolean;
};

/** Returns how each step of a rising rate went, and at which one it broke. */
export function describeSteps(summary: K6Summary, settings: Settings): readonly string[] {
  const steps = stepsOf(summary, settings);
  const rows = steps.map(
    ({ rate, visits, p99Ms, holds }) =>
      `${holds ? '✓' : '✗'}${String(rate).padStart(9)}${String(visits).padStart(10)}${p99Ms.toFixed(2).padStart(10)}`,
  );
  return [
    '',
    `${'a second'.padStart(10)}${'visits'.padStart(10)}${'p99 ms'.padStart(10)}`,
    ...rows,
    '',
    describeEnd(summary, steps),
  ];
}

function stepsOf({ metrics }: K6Summary, settings: Settings): readonly Step[] {
  const rates = Array.from(
    { length: settings.number('STEPS_MAX') },
    (_, step) => settings.number('RATE') + step * settings.number('STEP_RATE'),
  );
  return rates.flatMap((rate) => {
    const { values, thresholds } = metrics[`http_req_duration{rate:${rate}}`] ?? {};
    const visits = values?.['count'] ?? 0;
    if (visits === 0) return [];
    const holds = Object.values(thresholds ?? {}).every(({ ok }) => ok);
    return [{ rate, visits, p99Ms: values?.['p(99)'] ?? 0, holds }];
  });
}

function describeEnd({ metrics }: K6Summary, steps: readonly Step[]): string {
  const last = steps.at(-1);
  if (last === undefined) return 'No step was reached.';
  const broken = ['visits_failed', 'dropped_iterations'].filter((name) =>
    Object.values(metrics[name]?.thresholds ?? {}).some(({ ok }) => !ok),
  );
  if (!last.holds) broken.unshift('p99');
  if (broken.length === 0) return `Nothing broke up to ${last.rate} a second.`;
  const held = steps.at(-2);
  const before = held ? `; ${held.rate} a second held` : '';
  return `It broke at ${last.rate} a second (${broken.join(', ')})${before}.`;
}
