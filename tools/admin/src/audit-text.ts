import type { AuditRow } from './audit-queries.js';

// How a member of `details` reads; one that is not listed is shown under its own name.
const LABELS: Readonly<Record<string, string>> = {
  changed: '',
  displayPrefix: 'key',
  limits: '',
  plan: 'plan',
};
// The display prefix says it better.
const HIDDEN = new Set(['keyId']);

/** Returns who made a change, in a few words: `admin`, or the key by its shown beginning and name. */
export function describeActor(entry: Pick<AuditRow, 'actor' | 'key_name' | 'key_display_prefix'>): string {
  const { actor, key_name: name, key_display_prefix: displayPrefix } = entry;
  return displayPrefix === null ? actor : `key ${displayPrefix}… ${name ?? ''}`.trimEnd();
}

/** Returns what was changed, in one line; `-` when the action says it all. */
export function describeChange(entry: Pick<AuditRow, 'smartlink_id' | 'details'>): string {
  const { from, to, ...others } = entry.details ?? {};
  const parts = entry.smartlink_id === null ? [] : [`smartlink ${entry.smartlink_id}`];
  for (const [name, value] of Object.entries(others)) {
    if (!HIDDEN.has(name)) parts.push(`${LABELS[name] ?? name} ${toText(value)}`.trim());
  }
  if (from !== undefined || to !== undefined) parts.push(`${toText(from)} → ${toText(to)}`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => `${name} ${toText(member)}`)
      .join(', ');
  }
  return String(value);
}
