import type { AuditRow } from './audit-queries.js';

// The value says what it is.
const UNNAMED = new Set(['changed', 'details', 'limits', 'days']);
// The display prefix says it better.
const HIDDEN = new Set(['keyId']);

/** Returns who made a change, in a few words: `admin`, or the key by its shown beginning and name. */
export function describeActor(entry: Pick<AuditRow, 'actor' | 'key_name' | 'key_display_prefix'>): string {
  const { actor, key_name: name, key_display_prefix: displayPrefix } = entry;
  return displayPrefix === null ? actor : `key ${displayPrefix}… ${name ?? ''}`.trimEnd();
}

/** Returns what was changed, in one line; `-` when the action says it all. */
export function describeChange(entry: Pick<AuditRow, 'smartlink_id' | 'details'>): string {
  const { from, to, displayPrefix, ...others } = entry.details ?? {};
  const parts = entry.smartlink_id === null ? [] : [`smartlink ${entry.smartlink_id}`];
  if (displayPrefix !== undefined) parts.push(`key ${toText(displayPrefix)}…`);
  for (const [name, value] of Object.entries(others)) {
    if (!HIDDEN.has(name)) parts.push(`${UNNAMED.has(name) ? '' : `${name} `}${toText(value)}`);
  }
  if (from !== undefined || to !== undefined) parts.push(toStep(from, to));
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** Returns `old → new`, of each member where there are several. */
function toStep(from: unknown, to: unknown): string {
  if (!isObject(from) || !isObject(to)) return `${toText(from)} → ${toText(to)}`;
  return Object.keys(to)
    .map((name) => `${name} ${toText(from[name])} → ${toText(to[name])}`)
    .join(', ');
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (!isObject(value)) return String(value);
  const { path, message } = value;
  if (typeof path === 'string' && typeof message === 'string') return `${path}: ${message}`;
  return Object.entries(value)
    .map(([name, member]) => `${name} ${toText(member)}`)
    .join(', ');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
