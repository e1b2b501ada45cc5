import type { EventRow } from '@smartlink/test-support/event-row';
import {
  type Figures,
  hourLabelOf,
  labelOf,
  NO_FIGURES,
  type Series,
  type SeriesRequest,
  type Totals,
} from '@smartlink/visits/analytics';
import { routesOf } from './count-visits.js';

/** The right answer of analytics about these rows, counted one by one; fewer than 100 referrers. */
export function countVisits(
  rows: readonly EventRow[],
  { interval, timeZone, from, to }: Pick<SeriesRequest, 'interval' | 'timeZone' | 'from' | 'to'>,
): Series {
  const groups = new Map<string, EventRow[]>();
  for (const row of rows) {
    const hour = hourLabelOf(Date.parse(`${row.ts?.replace(' ', 'T')}Z`), timeZone);
    const day = hour.slice(0, 10);
    if ((from !== null && day < from) || (to !== null && day > to)) continue;
    const label = interval === 'hour' ? hour : labelOf(day, interval);
    groups.set(label, [...(groups.get(label) ?? []), row]);
  }
  return {
    entries: [...groups]
      .map(([date, members]) => ({ date, ...countFigures(members, timeZone) }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    totals: rows.length === 0 ? NO_FIGURES : countFigures(rows, 'UTC'),
  };
}

/** The totals of these rows. */
export function sumTotals(rows: readonly EventRow[]): Totals {
  const { clicks, scans, fallbacks } = countFigures(rows, 'UTC');
  return { clicks, scans, fallbacks };
}

/** Counted visits by smartlink within days of UTC, as a breakdown has them. */
export function countByLink(
  rows: readonly EventRow[],
  { from, to }: Pick<SeriesRequest, 'from' | 'to'>,
): ReadonlyMap<string, object> {
  const groups = new Map<string, EventRow[]>();
  for (const row of rows) {
    const day = row.ts?.slice(0, 10) ?? '';
    if (row.outcome === 'excluded' || (from !== null && day < from) || (to !== null && day > to)) continue;
    const id = row.smartlink_id ?? '';
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return new Map(
    [...groups].map(([id, members]) => {
      const { clicks, scans, fallbacks, uniqueVisitors } = countFigures(members, 'UTC');
      return [id, { clicks, scans, fallbacks, visits: clicks + scans, uniqueVisitors }];
    }),
  );
}

/** The cell of these rows of a UTC day, as it is stored; visitors count once for each smartlink. */
export function countStored(rows: readonly EventRow[]): object {
  const { uniqueVisitors: _visitors, operatingSystems, domains, ...figures } = countFigures(rows, 'UTC');
  const counted = rows.filter((row) => row.outcome !== 'excluded');
  const tally = (valueOf: (row: EventRow) => string) => {
    const counts: Record<string, number> = {};
    for (const row of counted) counts[valueOf(row)] = (counts[valueOf(row)] ?? 0) + 1;
    return counts;
  };
  const hours = (passes: (row: EventRow) => boolean) =>
    Array.from(
      { length: 24 },
      (_, hour) => counted.filter((row) => passes(row) && Number(row.ts?.slice(11, 13)) === hour).length,
    );
  const { clicks, scans, fallbacks, countries, devices, browsers, referrers, excluded } = figures;
  const { default: _own, ...hosts } = domains;
  const { default: _unrouted, ...routes } = routesOf(counted);
  return {
    ...{ clicks, scans, fallbacks, countries, devices, browsers, referrers, excluded },
    visitors: new Set(
      counted.filter((row) => row.visitor_id !== '0').map((row) => `${row.smartlink_id} ${row.visitor_id}`),
    ).size,
    operating_systems: operatingSystems,
    languages: tally((row) => row.language ?? ''),
    utm_sources: tally((row) => row.utm_source ?? ''),
    utm_mediums: tally((row) => row.utm_medium ?? ''),
    utm_campaigns: tally((row) => row.utm_campaign ?? ''),
    domains: hosts,
    routes,
    hours: {
      clicks: hours((row) => row.source === 'click'),
      scans: hours((row) => row.source === 'scan'),
      fallbacks: hours((row) => row.outcome === 'fallback'),
    },
  };
}

/** The counts by value of a UTC day, as rows by owner have them; fewer than 1,000 values. */
export function breakdownsOf(rows: readonly EventRow[]): object {
  const counted = rows.filter((row) => row.outcome !== 'excluded');
  const by = (column: keyof EventRow, empty = '') => {
    const groups = new Map<string, EventRow[]>();
    for (const row of counted) {
      const value = row[column] === undefined || row[column] === '' ? empty : row[column];
      groups.set(value, [...(groups.get(value) ?? []), row]);
    }
    const isNone = ([value]: readonly [string, unknown]) => Number(value === '');
    return [...groups]
      .toSorted((a, b) => isNone(b) - isNone(a) || b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
      .map(([value, members]) => ({
        visits: members.length,
        value,
        scans: members.filter((row) => row.source === 'scan').length,
        fallbacks: members.filter((row) => row.outcome === 'fallback').length,
      }));
  };
  return {
    ...{ country: by('country'), device: by('device'), browser: by('browser'), os: by('os') },
    ...{ language: by('language'), referrer: by('referrer_host', 'direct'), source: by('source') },
    ...{ utmSource: by('utm_source'), utmMedium: by('utm_medium'), utmCampaign: by('utm_campaign') },
    ...{ domain: by('domain', 'default'), rule: by('rule'), variant: by('variant') },
  };
}

export function countFigures(rows: readonly EventRow[], timeZone: string): Figures {
  const counted = rows.filter((row) => row.outcome !== 'excluded');
  const tally = (members: readonly EventRow[], name: keyof EventRow, empty = ''): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const row of members) {
      const value = row[name] === undefined || row[name] === '' ? empty : row[name];
      counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };
  const visitors = counted
    .filter((row) => row.visitor_id !== '0')
    .map((row) => {
      const day = hourLabelOf(Date.parse(`${row.ts?.replace(' ', 'T')}Z`), timeZone).slice(0, 10);
      return `${day} ${row.visitor_id}`;
    });
  return {
    clicks: counted.filter((row) => row.source === 'click').length,
    scans: counted.filter((row) => row.source === 'scan').length,
    fallbacks: counted.filter((row) => row.outcome === 'fallback').length,
    uniqueVisitors: new Set(visitors).size,
    countries: tally(counted, 'country'),
    devices: tally(counted, 'device'),
    browsers: tally(counted, 'browser'),
    operatingSystems: tally(counted, 'os'),
    referrers: tally(counted, 'referrer_host', 'direct'),
    ...(Object.fromEntries(
      Object.entries({
        languages: 'language',
        utmSources: 'utm_source',
        utmMediums: 'utm_medium',
        utmCampaigns: 'utm_campaign',
      } as const).map(([map, column]) => [
        map,
        tally(
          counted.filter((row) => (row[column] ?? '') !== ''),
          column,
        ),
      ]),
    ) as Pick<Figures, 'languages' | 'utmSources' | 'utmMediums' | 'utmCampaigns'>),
    domains: counted.every((row) => (row.domain ?? '') === '') ? {} : tally(counted, 'domain', 'default'),
    routes: routesOf(counted),
    excluded: tally(
      rows.filter((row) => row.outcome === 'excluded' && row.exclusion !== 'press'),
      'exclusion',
    ),
    presses: tally(
      rows.filter((row) => row.exclusion === 'press'),
      'button',
    ),
  };
}
