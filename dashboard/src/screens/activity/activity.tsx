import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@smartlink/client';
import { api } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { optionsOf, SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { List, pagesQuery } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './activity.module.css';
import type { ActivitySearch } from './search.js';
import { useWords } from './words.js';

export function Activity() {
  const words = useWords();
  const navigate = useNavigate({ from: '/dashboard/activity' });
  const search = useSearch({ from: '/shell/dashboard/activity' });
  const changes = useInfiniteQuery(
    pagesQuery(['changes', search], (page, signal) =>
      api.account.changes({ ...search, ...page }, { signal }),
    ),
  );
  const columns = useColumns(search);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title={words.heading} intro={words.intro}>
      <Filters
        search={search}
        isFiltered={isFiltered}
        onChange={(filter) => void navigate({ search: filter, replace: true })}
      />
      <List
        query={changes}
        lines={6}
        empty={
          isFiltered ? (
            <EmptyNotice heading={words.nothingFound}>{words.nothingFoundText}</EmptyNotice>
          ) : (
            <EmptyNotice heading={words.none}>{words.noneText}</EmptyNotice>
          )
        }
        label={words.table}
        columns={columns}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

/** Filters, kept in the address. */
function Filters({
  search,
  isFiltered,
  onChange,
}: {
  readonly search: ActivitySearch;
  readonly isFiltered: boolean;
  readonly onChange: (search: ActivitySearch) => void;
}) {
  const words = useWords();
  const { action, from, to, smartlinkId } = search;
  const actions: Readonly<Record<string, string>> = words.actions;
  const other = action === undefined || actions[action] !== undefined ? {} : { [action]: action };
  const filter = (name: keyof ActivitySearch) => ({
    value: search[name] ?? '',
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
      onChange({ ...search, [name]: value === '' ? undefined : value }),
  });
  return (
    <div className={styles.filters}>
      <SelectField
        label={words.action}
        options={[{ value: '', label: words.allActions }, ...optionsOf({ ...actions, ...other })]}
        {...filter('action')}
      />
      <TextField label={words.from} type="date" max={to} {...filter('from')} />
      <TextField label={words.to} type="date" min={from} {...filter('to')} />
      {smartlinkId === undefined ? null : (
        <Button onClick={() => onChange({ ...search, smartlinkId: undefined })}>
          <Icon name="close" size={18} />
          {words.onlyLink}
        </Button>
      )}
      {isFiltered ? <Button onClick={() => onChange({})}>{words.clear}</Button> : null}
    </div>
  );
}

function useColumns(search: ActivitySearch): readonly Column<AuditEntry>[] {
  const words = useWords();
  const format = useFormat();
  return [
    {
      header: words.what,
      kind: 'main',
      cell: ({ action, changed = [] }) => (
        <div className={styles.what}>
          {actionName(action, words)}
          {changed.length === 0 ? null : (
            <span className={styles.changed}>{words.changed(changed.join(', '))}</span>
          )}
        </div>
      ),
    },
    { header: words.who, cell: ({ actor }) => actorName(actor, words) },
    { header: words.when, cell: ({ at }) => format.dateTime(at) },
    {
      header: words.link,
      cell: ({ smartlinkId, action }) => {
        if (smartlinkId === undefined) return '–';
        return (
          <div className={styles.links}>
            {action === 'smartlink.delete' ? null : (
              <Link to="/dashboard/links/$id" params={{ id: smartlinkId }}>
                {words.open}
              </Link>
            )}
            {search.smartlinkId === smartlinkId ? null : (
              <Link to="/dashboard/activity" search={{ ...search, smartlinkId }}>
                {words.showOnly}
              </Link>
            )}
          </div>
        );
      },
    },
  ];
}

type Words = ReturnType<typeof useWords>;

/** Actions without a translation keep their API name. */
function actionName(action: string, { actions }: Words): string {
  return (actions as Readonly<Record<string, string>>)[action] ?? action;
}

function actorName({ kind, name }: AuditEntry['actor'], words: Words): string {
  if (kind === 'admin') return words.admin;
  if (kind === 'system') return words.system;
  if (kind === 'key') return name === undefined ? words.deletedKey : words.key(name);
  return name ?? words.deletedPerson;
}
