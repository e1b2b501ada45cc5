import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Breakdown } from '@smartlink/client';
import { api } from '../../app/api.js';
import { linkPath } from '../../app/link-paths.js';
import { usePreferences } from '../../app/preferences.js';
import { accountQuery } from '../../app/queries.js';
import { List } from '../../parts/list.js';
import { InfoLine } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { useLabelFormat } from '../figures/chart-layout.js';
import { addDays, type FiguresQuery, filtersOf, hourLabel, spanBefore, spanOf } from '../figures/query.js';
import { useWords as useFigureWords } from '../figures/words.js';
import styles from './overview.module.css';
import { useWords } from './words.js';

type Days = { readonly from?: string; readonly to?: string };
type Mover = {
  readonly id: string;
  /** Undefined if the link was deleted. */
  readonly name: string | undefined;
  readonly now: number;
  readonly before: number;
};

const REFRESH_MS = 60_000;
const ROWS = 10;

/** Links whose visits changed most compared with the preceding period. */
export function Movers({ query }: { readonly query: FiguresQuery }) {
  const words = useWords();
  const figureWords = useFigureWords();
  const preferences = usePreferences();
  const { data: account } = useQuery(accountQuery);
  const tz = query.tz ?? preferences.timeZone;
  const columns = useColumns();
  const nowMs = Date.now();
  const { from, to } = spanOf(query, tz, nowMs);
  const isOpen = from === undefined || to === undefined;
  // Breakdowns cover whole days.
  const days: Days = isOpen ? {} : { from, to };
  const before: Days | null = spanBefore({ ...days, interval: 'day' }, 'previous', { timeZone: tz, nowMs });
  const daysMax = account?.plan.analyticsDays ?? null;
  const today = hourLabel(nowMs, tz).slice(0, 10);
  const isRestricted =
    daysMax !== null && before?.from !== undefined && before.from < addDays(today, -daysMax);
  const shared = { tz, ...filtersOf(query) };
  const found = useQuery({
    queryKey: ['figures', 'movers', shared, days, before?.from, before?.to],
    queryFn: ({ signal }) => findMovers(days, before ?? {}, shared, signal),
    enabled: before !== null && account !== undefined && !isRestricted,
    refetchInterval: REFRESH_MS,
  });
  if (before === null) return <p className={styles.label}>{figureWords.noComparison}</p>;
  if (isRestricted) return <InfoLine>{figureWords.beforeRestricted}</InfoLine>;
  return (
    <>
      <Spans days={days} before={before} />
      <List
        query={found}
        lines={5}
        empty={<p className={styles.label}>{words.moversNone}</p>}
        label={words.movers}
        columns={columns}
        rowKey={({ id }) => id}
      />
    </>
  );
}

function Spans({ days, before }: { readonly days: Days; readonly before: Days }) {
  const words = useWords();
  const format = useLabelFormat();
  const written = ({ from, to }: Days) =>
    [...new Set([from, to])].map((day) => (day === undefined ? '' : format.shortDate(day))).join(' – ');
  return <p className={styles.label}>{words.against(written(days), written(before))}</p>;
}

function useColumns(): readonly Column<Mover>[] {
  const words = useWords();
  const { number } = useFormat();
  const signed = (change: number) => `${change > 0 ? '+' : ''}${number(change)}`;
  return [
    {
      header: words.name,
      kind: 'main',
      cell: ({ id, name }) => <Link to={linkPath(id)}>{name ?? words.deletedLink}</Link>,
    },
    { header: words.visits, kind: 'number', cell: ({ now }) => number(now) },
    { header: words.before, kind: 'number', cell: ({ before }) => number(before) },
    {
      header: words.change,
      kind: 'number',
      cell: ({ now, before }) => signed(now - before),
    },
  ];
}

// The biggest changes are among the most visited links of either span, except with many links of similar size.
const FOUND_MAX = 100;

async function findMovers(
  days: Days,
  daysBefore: Days,
  shared: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Mover[]> {
  const read = async (range: Days, ids: readonly string[] = []): Promise<Breakdown> => {
    const id = ids.length === 0 ? {} : { id: ids.join(',') };
    const parameters = { ...shared, ...range, ...id, limit: FOUND_MAX };
    return (await api.analytics.breakdown('smartlink', parameters, { signal })).data;
  };
  const [now, before] = await Promise.all([read(days), read(daysBefore)]);
  /** Visits in one range of links that only the other range lists. */
  const readMissing = async (range: Days, own: Breakdown, other: Breakdown) => {
    if (own.other.visits === 0) return [];
    const known = new Set(own.rows.map(({ value }) => value));
    const ids = other.rows.flatMap(({ value }) => (value === null || known.has(value) ? [] : [value]));
    return ids.length === 0 ? [] : (await read(range, ids)).rows;
  };
  const [moreNow, moreBefore] = await Promise.all([
    readMissing(days, now, before),
    readMissing(daysBefore, before, now),
  ]);
  return rankMovers([...now.rows, ...moreNow], [...before.rows, ...moreBefore]);
}

function rankMovers(now: Breakdown['rows'], before: Breakdown['rows']): readonly Mover[] {
  const movers = new Map<string, Mover>();
  for (const [key, rows] of [
    ['now', now],
    ['before', before],
  ] as const) {
    for (const { value, name, visits } of rows) {
      if (value === null) continue;
      const mover = movers.get(value) ?? { id: value, name, now: 0, before: 0 };
      movers.set(value, { ...mover, [key]: visits });
    }
  }
  const change = (mover: Mover): number => Math.abs(mover.now - mover.before);
  return [...movers.values()]
    .filter((mover) => change(mover) > 0)
    .toSorted((a, b) => change(b) - change(a) || b.now - a.now)
    .slice(0, ROWS);
}
