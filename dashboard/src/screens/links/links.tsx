import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { hasCode } from '../../app/api.js';
import { NEW_LINK } from '../../app/link-paths.js';
import { Page } from '../../app/page.js';
import { useHasRole } from '../../app/session.js';
import { useShortcuts } from '../../app/shortcuts.js';
import { ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { ErrorText } from '../../parts/notice.js';
import { type Format, useFormat } from '../../words/format.js';
import { EmptyList, NothingFound } from './empty.js';
import { FilterBar } from './filter-bar.js';
import { isFiltered, type LinksSearch } from './filters.js';
import { LinkRows } from './link-rows.js';
import styles from './links.module.css';
import { type LinkList, listQuery, recentVisitsQuery, trimLists } from './list.js';
import { useWords, type Words } from './words.js';

const route = getRouteApi('/shell/dashboard/links');

export function Links() {
  const words = useWords();
  const mayWrite = useHasRole('Editor');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const searchBox = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery(listQuery(search));
  useEffect(() => trimLists, []);
  // All loaded rows were deleted, and there are more.
  const isDrained = list.data?.links.length === 0 && list.hasNextPage;
  const { refetch } = list;
  useEffect(() => {
    if (isDrained) void refetch();
  }, [isDrained, refetch]);
  useShortcuts({
    '/': () => searchBox.current?.focus(),
  });

  const change = (changes: LinksSearch) => {
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  };
  const clear = () => {
    void navigate({ search: {} });
  };
  const hasLinks = (list.data?.links.length ?? 0) > 0;
  // Filters stay while their result loads.
  const isUsed = hasLinks || isFiltered(search) || list.data?.isFiltered === true;
  const newLink =
    mayWrite && isUsed ? (
      <ButtonLink to={NEW_LINK} look="primary">
        <Icon name="plus" />
        {words.newLink}
      </ButtonLink>
    ) : null;
  return (
    <Page title={words.heading} action={newLink}>
      <div className={styles.screen}>
        {isUsed || list.data === undefined ? (
          <FilterBar search={search} onChange={change} searchBox={searchBox} />
        ) : null}
        <Count list={list.data} />
        <Loaded query={list} lines={8}>
          {(data) =>
            data.links.length > 0 || isDrained ? (
              <LinkRows
                // New filters clear the selection.
                key={JSON.stringify(search)}
                search={search}
                list={data}
                mayWrite={mayWrite}
                hasNextPage={list.hasNextPage && !list.isFetchNextPageError}
                isLoading={list.isFetchingNextPage}
                onNextPage={list.fetchNextPage}
              />
            ) : data.isFiltered ? (
              <NothingFound onClear={clear} />
            ) : (
              <EmptyList mayWrite={mayWrite} onShowAll={() => change({ status: 'all', archived: 'all' })} />
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

/** Number of links and of recent visits. */
function Count({ list }: { readonly list: LinkList | undefined }) {
  const words = useWords();
  const format = useFormat();
  const recent = useQuery(recentVisitsQuery);
  const text = list === undefined ? '' : countText(list, words, format);
  // Of the whole account: beside a filtered count it would be misread.
  const visits =
    recent.data === undefined || list?.isFiltered === true ? '' : words.recent(format.number(recent.data));
  return (
    <>
      {hasCode(recent.error, 'SERVICE_UNAVAILABLE') ? <ErrorText>{words.noFigures}</ErrorText> : null}
      <div className={styles.counts}>
        <p role="status">{text}</p>
        {text === '' || visits === '' ? null : <p>{visits}</p>}
      </div>
    </>
  );
}

function countText({ links, total, isFiltered: hasFilters }: LinkList, words: Words, format: Format): string {
  const written = total === null ? words.many : format.number(total);
  if (hasFilters) return words.found(written);
  if (links.length === 0) return '';
  return total === null ? words.manyLinks : words.count(total, written);
}
