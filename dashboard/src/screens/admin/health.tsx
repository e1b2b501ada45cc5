import { useQuery } from '@tanstack/react-query';
import type { HealthCheck } from '@smartlink/client';
import { api } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './admin.module.css';
import { useWords } from './words.js';

const REFETCH_MS = 30_000;

const QUERY = {
  queryKey: ['admin', 'health'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await api.admin.health({ signal })).data,
  // Paused while the window is hidden.
  refetchInterval: REFETCH_MS,
} as const;

export function Health() {
  const { health: words } = useWords();
  const health = useQuery(QUERY);
  return (
    <Page
      title={words.heading}
      intro={words.intro}
      action={
        <Button isBusy={health.isFetching} onClick={() => void health.refetch()}>
          {words.again}
        </Button>
      }
    >
      <Loaded query={health} lines={6}>
        {(checks) => <Checks checks={checks} checkedAt={health.dataUpdatedAt} />}
      </Loaded>
    </Page>
  );
}

function Checks({
  checks,
  checkedAt,
}: {
  readonly checks: readonly HealthCheck[];
  readonly checkedAt: number;
}) {
  const { health: words } = useWords();
  const format = useFormat();
  const problems = checks.filter(({ ok }) => !ok).length;
  const columns: readonly Column<HealthCheck>[] = [
    {
      header: words.check,
      kind: 'main',
      cell: ({ name }) => words.names[name] ?? name,
    },
    { header: words.state, cell: ({ ok }) => <State isFine={ok} /> },
    // In English, as in the log.
    { header: words.seen, cell: ({ reason }) => <span lang="en">{reason ?? '—'}</span> },
  ];
  return (
    <>
      <p>
        <span role="status">{problems === 0 ? words.allWell : words.problems(problems)}</span>{' '}
        <span className={styles.second}>
          {words.checkedAt(format.time(new Date(checkedAt), { timeStyle: 'medium' }))}
        </span>
      </p>
      <Table label={words.heading} columns={columns} rows={checks} rowKey={({ name }) => name} />
    </>
  );
}

function State({ isFine }: { readonly isFine: boolean }) {
  const { health: words } = useWords();
  return (
    <span className={isFine ? styles.state : `${styles.state} ${styles.problem}`}>
      <Icon name={isFine ? 'check' : 'alert'} size={18} />
      {isFine ? words.fine : words.problem}
    </span>
  );
}
