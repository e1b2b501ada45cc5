import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import type { Breakdown } from '@smartlink/client';
import { api } from '../../app/api.js';
import { linkPath } from '../../app/link-paths.js';
import { Page, Section } from '../../app/page.js';
import { usePreferences } from '../../app/preferences.js';
import { accountQuery } from '../../app/queries.js';
import { List } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { Figures } from '../figures/figures.js';
import { type FiguresQuery, filtersOf, spanOf } from '../figures/query.js';
import { Movers } from './movers.js';
import styles from './overview.module.css';
import { Now, RecentVisits } from './recent.js';
import { useWords } from './words.js';

const route = getRouteApi('/shell/dashboard/overview');

/** The figures of the whole account. */
export function Overview() {
  const words = useWords();
  const query = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page title={words.heading}>
      <div className={styles.now}>
        <Now />
        <PlanUse />
      </div>
      <Figures
        title={words.heading}
        fileName="overview"
        query={query}
        onChange={(changes) =>
          void navigate({ to: '.', search: { ...query, ...changes }, replace: true, resetScroll: false })
        }
      />
      <Section title={words.movers}>
        <Movers query={query} />
      </Section>
      <Section title={words.most}>
        <MostVisited query={query} />
      </Section>
      <RecentVisits />
    </Page>
  );
}

function PlanUse() {
  const words = useWords();
  const format = useFormat();
  const id = useId();
  const { data } = useQuery(accountQuery);
  if (data === undefined) return null;
  const { plan, usage } = data;
  return (
    <div role="group" aria-labelledby={id} className={styles.figure}>
      <p id={id} className={styles.label}>
        {words.links}
      </p>
      <p className={styles.value}>{format.number(usage.smartlinks)}</p>
      <p className={styles.label}>
        {plan.smartlinks === null
          ? words.planOpen(plan.name)
          : words.planOf(format.number(plan.smartlinks), plan.name)}
      </p>
    </div>
  );
}

const REFRESH_MS = 5_000;
const ROWS = 10;
type Row = Breakdown['rows'][number];

function MostVisited({ query }: { readonly query: FiguresQuery }) {
  const words = useWords();
  const format = useFormat();
  const preferences = usePreferences();
  const tz = query.tz ?? preferences.timeZone;
  const { from, to } = spanOf(query, tz, Date.now());
  const parameters = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...{ tz, limit: ROWS },
    ...filtersOf(query),
  };
  const found = useQuery({
    queryKey: ['figures', 'most', parameters],
    queryFn: async ({ signal }) =>
      (await api.analytics.breakdown('smartlink', parameters, { signal })).data.rows,
    refetchInterval: REFRESH_MS,
  });
  const columns: readonly Column<Row>[] = [
    {
      header: words.name,
      kind: 'main',
      cell: ({ value, name }) => <Link to={linkPath(value ?? '')}>{name ?? words.deletedLink}</Link>,
    },
    { header: words.clicks, kind: 'number', cell: ({ clicks }) => format.number(clicks) },
    { header: words.scans, kind: 'number', cell: ({ qrScans }) => format.number(qrScans) },
  ];
  return (
    <List
      query={found}
      lines={5}
      empty={<EmptyNotice heading={words.none}>{words.noneText}</EmptyNotice>}
      label={words.most}
      columns={columns}
      rowKey={({ value }) => value ?? ''}
    />
  );
}
