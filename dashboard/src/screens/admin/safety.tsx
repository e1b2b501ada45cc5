import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { QueuedSmartlink } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { RadioGroup } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice, ErrorLine } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
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
  const queue = useInfiniteQuery(
    pagesQuery([...KEY, state], (page, signal) => api.admin.unsafe({ ...page, state }, { signal })),
  );
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
      <Loaded query={queue}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.none[state].heading}>{words.none[state].text}</EmptyNotice>
          ) : (
            <Queue state={state} smartlinks={list} />
          )
        }
      </Loaded>
      <ShowMore query={queue} />
    </Page>
  );
}

function Queue({
  state,
  smartlinks,
}: {
  readonly state: State;
  readonly smartlinks: readonly QueuedSmartlink[];
}) {
  const words = useWords();
  const { safety } = words;
  const format = useFormat();
  const say = useStatus();
  const recheck = useMutation({
    mutationFn: (id: string) => api.admin.recheck(id),
    onSuccess: async ({ data }) => {
      say(safety.verdicts[data.state]);
      await queryClient.invalidateQueries({ queryKey: KEY });
    },
  });
  const columns: readonly Column<QueuedSmartlink>[] = [
    // Not a link: it leads to what may be unsafe.
    { key: 'address', header: safety.address, kind: 'main', cell: ({ address }) => address },
    { key: 'account', header: safety.account, cell: ({ account }) => account.email },
    state === 'unsafe'
      ? { key: 'urls', header: safety.urls, cell: ({ urls = [] }) => <Urls urls={urls} /> }
      : {
          key: 'due',
          header: safety.due,
          cell: ({ dueAt }) => (dueAt === undefined ? safety.soon : format.ago(dueAt)),
        },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: ({ smartlinkId, address }) => (
        <Button
          look="quiet"
          aria-label={safety.recheckNamed(address)}
          isBusy={recheck.isPending && recheck.variables === smartlinkId}
          onClick={() => recheck.mutate(smartlinkId)}
        >
          {safety.recheck}
        </Button>
      ),
    },
  ];
  return (
    <>
      <ErrorLine error={recheck.error} />
      <Table
        label={safety.states[state]}
        columns={columns}
        rows={smartlinks}
        rowKey={({ smartlinkId }) => smartlinkId}
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
