import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Realtime } from '@smartlink/client';
import { api } from '../../app/api.js';
import { linkPath } from '../../app/link-paths.js';
import { Section } from '../../app/page.js';
import { accountQuery } from '../../app/queries.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { useValueNames } from '../figures/value-names.js';
import { useWords as useFigureWords } from '../figures/words.js';
import styles from './overview.module.css';
import { useWords } from './words.js';

const NOW_MINUTES = 5;
const REFRESH_MS = 5_000;

/** Visits of the last 30 minutes; undefined if the plan excludes them. */
function useRealtime(): Realtime | undefined {
  const { data: account } = useQuery(accountQuery);
  const { data } = useQuery({
    queryKey: ['figures', 'now'],
    queryFn: async ({ signal }) => (await api.analytics.realtime({}, { signal })).data,
    enabled: account?.plan.advanced === true,
    refetchInterval: REFRESH_MS,
  });
  return data;
}

/** The visits of the last five minutes. */
export function Now() {
  const words = useWords();
  const format = useFormat();
  const id = useId();
  const found = useRealtime();
  if (found === undefined) return null;
  // Plus the current, incomplete minute.
  const visits = found.minutes
    .slice(-1 - NOW_MINUTES)
    .reduce((sum, { clicks, qrScans }) => sum + clicks + qrScans, 0);
  return (
    <div role="group" aria-labelledby={id} className={styles.figure}>
      <p id={id} className={styles.label}>
        {words.now}
      </p>
      <p className={styles.value}>{format.number(visits)}</p>
      <p className={styles.label}>{words.nowText}</p>
    </div>
  );
}

/** Which links were visited in the last 30 minutes, and from where. */
export function RecentVisits() {
  const words = useWords();
  const { number } = useFormat();
  const { dimensions } = useFigureWords();
  const nameOf = useValueNames();
  const found = useRealtime();
  if (found === undefined) return null;
  const columns: readonly Column<Realtime['smartlinks'][number]>[] = [
    {
      header: words.name,
      kind: 'main',
      cell: ({ value, name }) => <Link to={linkPath(value)}>{name ?? words.deletedLink}</Link>,
    },
    { header: words.visits, kind: 'number', cell: ({ visits }) => number(visits) },
  ];
  return (
    <Section title={words.recent}>
      {found.visits === 0 ? (
        <p className={styles.label}>{words.recentNone}</p>
      ) : (
        <>
          <Table
            label={words.recent}
            columns={columns}
            rows={found.smartlinks}
            rowKey={({ value }) => value}
          />
          <dl className={styles.values}>
            {(['countries', 'referrers', 'devices'] as const).map((dimension) => (
              <div key={dimension}>
                <dt className={styles.label}>{dimensions[dimension]}</dt>
                <dd>
                  {found[dimension]
                    .map(({ value, visits }) => `${nameOf(dimension, value)}: ${number(visits)}`)
                    .join(' · ')}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Section>
  );
}
