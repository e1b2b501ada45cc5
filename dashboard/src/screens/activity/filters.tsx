import type { ReactNode } from 'react';
import { Button } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import styles from './activity.module.css';
import type { ActivitySearch } from './search.js';
import { useWords } from './words.js';

/** The filters, which are those of the address bar. */
export function Filters({
  search,
  onChange,
  children,
}: {
  readonly search: ActivitySearch;
  readonly onChange: (search: ActivitySearch) => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const { action, from, to, smartlinkId } = search;
  const actions: Readonly<Record<string, string>> = words.actions;
  const known = Object.entries(actions).map(([value, label]) => ({ value, label }));
  const other =
    action === undefined || actions[action] !== undefined ? [] : [{ value: action, label: action }];
  return (
    <div className={styles.filters}>
      <SelectField
        label={words.action}
        value={action ?? ''}
        options={[{ value: '', label: words.allActions }, ...known, ...other]}
        onChange={(event) =>
          onChange({ ...search, action: event.target.value === '' ? undefined : event.target.value })
        }
      />
      <TextField
        label={words.from}
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) =>
          onChange({ ...search, from: event.target.value === '' ? undefined : event.target.value })
        }
      />
      <TextField
        label={words.to}
        type="date"
        value={to ?? ''}
        min={from}
        onChange={(event) =>
          onChange({ ...search, to: event.target.value === '' ? undefined : event.target.value })
        }
      />
      {smartlinkId === undefined ? null : (
        <Button onClick={() => onChange({ ...search, smartlinkId: undefined })}>
          <Icon name="close" size={18} />
          {words.onlyLink}
        </Button>
      )}
      {children}
    </div>
  );
}
