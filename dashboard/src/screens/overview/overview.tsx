import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Page, Section } from '../../app/page.js';
import { accountQuery } from '../../app/queries.js';
import { useFormat } from '../../words/format.js';
import { Figures } from '../figures/figures.js';
import { MostVisited } from './most-visited.js';
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
  const [isRead, setRead] = useState(false);
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
        onRead={() => setRead(true)}
        onChange={(changes) =>
          void navigate({ to: '.', search: { ...query, ...changes }, replace: true, resetScroll: false })
        }
      />
      <Section title={words.movers}>
        <Movers query={query} />
      </Section>
      {/* Asked for at once, they would delay the figures at the top. */}
      {isRead ? (
        <>
          <MostVisited by="smartlink" query={query} />
          <MostVisited by="tag" query={query} />
          <MostVisited by="folder" query={query} />
        </>
      ) : null}
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
