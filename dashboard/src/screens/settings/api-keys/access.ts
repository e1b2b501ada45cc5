import type { ApiKey } from '@smartlink/client';

export type Scope = ApiKey['scopes'][number];
export type GrantedScope = Exclude<Scope, '*'>;

/** Scopes of each "Access" option; `custom` ones are chosen individually. */
export const PRESETS = {
  full: ['*'],
  read: ['links:read', 'analytics:read', 'domains:read', 'webhooks:read'],
  create: ['links:create'],
  figures: ['analytics:read'],
  custom: [],
} as const satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof PRESETS;

/** The option with exactly these scopes. */
export function presetOf(scopes: readonly Scope[]): Preset {
  const wanted = [...scopes].sort().join(' ');
  const found = Object.entries(PRESETS).find(([, given]) => [...given].sort().join(' ') === wanted);
  return found === undefined ? 'custom' : (found[0] as Preset);
}

export type Expiry = 'days30' | 'days90' | 'year' | 'never' | 'date';
const DAYS = { days30: 30, days90: 90, year: 365 } as const;
const DAY_MS = 86_400_000;

/** Expiry for the API; undefined: never. A date expires at the end of its day in the browser's time zone. */
export function expiryTime(expiry: Expiry, date: string, now = Date.now()): string | undefined {
  if (expiry === 'never') return undefined;
  if (expiry !== 'date') return new Date(now + DAYS[expiry] * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? '' : end.toISOString();
}
