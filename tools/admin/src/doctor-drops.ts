import { ask, baseUrlOf } from './doctor-ask.js';
import { given, ok, unknown, warning } from './doctor-check.js';
import type { DoctorContext, Finding } from './doctor-check.js';

// As in services/redirect/src/config.ts.
const METRICS_PORT_DEFAULT = 9464;
// Some hundred lines of 100 characters.
const METRICS_CHARACTERS_MAX = 1_000_000;
const DROPPED = /^\w*events_total\{[^}]*fate="dropped_(\w+)"[^}]*\} (\d+)/gm;

/** Returns the metrics of redirect as text, null where they cannot be read. */
export async function readMetrics({
  env,
  signal,
}: Pick<DoctorContext, 'env' | 'signal'>): Promise<string | null> {
  const port = Number(given(env, 'METRICS_PORT') ?? METRICS_PORT_DEFAULT);
  const host = given(env, 'METRICS_HOST') ?? '127.0.0.1';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const answer = await ask(`${baseUrlOf(host, port)}/-/metrics`, signal, METRICS_CHARACTERS_MAX);
  return answer === null || answer === 'refused' || answer.status !== 200 ? null : answer.body;
}

/** Returns the SPOOL_BYTES_MAX that redirect runs with, null where its metrics do not say it. */
export function findBytesMax(metrics: string | null): number | null {
  const [, bytes] = /^\w*spool_bytes_max (\d\S*)$/m.exec(metrics ?? '') ?? [];
  return bytes === undefined ? null : Number(bytes);
}

/** Whether redirect has dropped visits since its start. */
export function judgeDrops(metrics: string | null): Finding {
  const check = 'dropped events';
  const away = unknown(
    check,
    'the metrics of redirect cannot be read',
    'Start redirect, or set METRICS_HOST and METRICS_PORT.',
  );
  return judgeMetrics(check, metrics ?? '') ?? away;
}

/** Judges what redirect's metrics say, in the text format of Prometheus; null where they say nothing of events. */
export function judgeMetrics(check: string, metrics: string): Finding | null {
  const counts = [...metrics.matchAll(DROPPED)].map(([, reason = '', count = '0']) => ({
    reason,
    count: Number(count),
  }));
  if (counts.length === 0) return null;
  const dropped = counts.filter(({ count }) => count > 0);
  if (dropped.length === 0) return ok(check, 'none since redirect started');
  const sum = dropped.reduce((total, { count }) => total + count, 0);
  const reasons = dropped.map(({ reason, count }) => `${reason} ${count}`).join(', ');
  return warning(
    check,
    `${sum} since redirect started (${reasons})`,
    'These visits are lost. See what fills the spool, and the log of redirect.',
  );
}
