/** What a webhook can be told of. Those of smartlinks are written by whoever changes one. */
export const EVENT_TYPES = [
  'smartlink.created',
  'smartlink.updated',
  'smartlink.deleted',
  'smartlink.paused',
  'smartlink.activated',
  'smartlink.unsafe',
  'visits.recorded',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const VISITS_EVENT = 'visits.recorded' satisfies EventType;

/** What a test sends: every webhook takes it. */
export const TEST_EVENT = 'webhook.test';
