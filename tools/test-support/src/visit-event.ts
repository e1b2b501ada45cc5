import type { VisitEvent } from '@smartlink/visits/event';

/** A counted click by a phone in Germany, now, with `changes`. */
export function makeVisitEvent(changes: Partial<VisitEvent> = {}): VisitEvent {
  return {
    timeMs: Date.now(),
    ownerId: '01890000-1111-7222-8333-0123456789ab',
    smartlinkId: 'ffeeddcc-bbaa-4988-9766-554433221100',
    slug: 'spring',
    domain: '',
    source: 'click',
    outcome: 'target',
    exclusion: '',
    country: 'DE',
    device: 'mobile',
    os: 'Android',
    browser: 'Chrome',
    language: 'de',
    referrerHost: 'example.org',
    utmSource: '',
    utmMedium: '',
    utmCampaign: '',
    utmTerm: '',
    utmContent: '',
    rule: '',
    variant: '',
    button: '',
    visitorId: 1n,
    ...changes,
  };
}
