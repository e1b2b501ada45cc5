import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { QueuedSmartlink } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { RadioGroup } from '../../parts/field.js';
import { List, pagesQuery } from '../../parts/list.js';
import { EmptyNotice, ErrorLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './admin.module.css';
import { useWords } from './words.js';

const STATES = ['unsafe', 'unchecked'] as const;
type State = (typeof STATES)[number];

const KEY = ['admin', 'safety'] as const;
const route = getRouteApi('/shell/dashboard/admin/safety');

export function Safety() {
  const { safety: words } = useWords();
  const { state = 'unsafe' } = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page title={words.heading} intro={words.intro}>
      <RadioGroup<State>
        label={words.show}
        options={STATES.map((value) => ({ value, label: words.states[value] }))}
        value={state}
        onChange={(value) =>
          void navigate({
            to: '.',
            search: value === 'unsafe' ? {} : { state: value },
            replace: true,
          })
        }
      />
      <Queue key={state} state={state} />
    </Page>
  );
}

function Queue({ state }: { readonly state: State }) {
  const { safety: words } = useWords();
  const format = useFormat();
  const say = useStatus();
  const queue = useInfiniteQuery(
    pagesQuery([...KEY, state], (page, signal) => api.admin.unsafe({ ...page, state }, { signal })),
  );
  const recheck = useMutation({
    mutationFn: (id: string) => api.admin.recheck(id),
    onSuccess: async ({ data }) => {
      say(words.verdicts[data.state]);
      await queryClient.invalidateQueries({ queryKey: KEY });
    },
  });
  const columns: readonly Column<QueuedSmartlink>[] = [
    // Not a link, because its target may be unsafe.
    { header: words.address, kind: 'main', cell: ({ address }) => address },
    { header: words.account, cell: ({ account }) => account.email },
    state === 'unsafe'
      ? { header: words.urls, cell: ({ urls = [] }) => <Urls urls={urls} /> }
      : { header: words.due, cell: ({ dueAt }) => (dueAt === undefined ? words.soon : format.ago(dueAt)) },
  ];
  return (
    <>
      <ErrorLine error={recheck.error} />
      <List
        query={queue}
        empty={<EmptyNotice heading={words.none[state].heading}>{words.none[state].text}</EmptyNotice>}
        label={words.states[state]}
        columns={columns}
        rowKey={({ smartlinkId }) => smartlinkId}
        actions={({ smartlinkId, address }) => (
          <Button
            look="quiet"
            aria-label={words.recheckNamed(address)}
            isBusy={recheck.isPending && recheck.variables === smartlinkId}
            onClick={() => recheck.mutate(smartlinkId)}
          >
            {words.recheck}
          </Button>
        )}
      />
    </>
  );
}

function Urls({ urls }: { readonly urls: NonNullable<QueuedSmartlink['urls']> }) {
  return (
    <ul className={styles.lines}>
      {urls.map(({ path, url }) => (
        <li key={path}>
          <code className={styles.path}>{path}</code> {url}
        </li>
      ))}
    </ul>
  );
}
