import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { optionsOf, SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { EmptyNotice } from '../../parts/notice.js';
import styles from './activity.module.css';
import { ChangeList } from './change-list.js';
import type { ActivitySearch } from './search.js';
import { useWords } from './words.js';

export function Activity() {
  const words = useWords();
  const navigate = useNavigate({ from: '/dashboard/activity' });
  const search = useSearch({ from: '/shell/dashboard/activity' });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title={words.heading} intro={words.intro}>
      <Filters
        search={search}
        isFiltered={isFiltered}
        onChange={(filter) => void navigate({ search: filter, replace: true })}
      />
      <ChangeList
        search={search}
        empty={
          isFiltered ? (
            <EmptyNotice heading={words.nothingFound}>{words.nothingFoundText}</EmptyNotice>
          ) : (
            <EmptyNotice heading={words.none}>{words.noneText}</EmptyNotice>
          )
        }
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
