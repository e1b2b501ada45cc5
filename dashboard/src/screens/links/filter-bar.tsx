import { useQuery } from '@tanstack/react-query';
import { type RefObject, useId, useState } from 'react';
import { hostOptions } from '../../app/hosts.js';
import { domainsQuery, foldersQuery, tagsQuery } from '../../app/queries.js';
import { Button } from '../../parts/button.js';
import { CheckboxField, type Option, SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { TYPES } from '../../parts/ink.js';
import { useSearchText } from '../../parts/typing.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from './filter-bar.module.css';
import { ARCHIVED, countMore, type LinksSearch, readSearch, SORTS, STATUSES, toFilter } from './filters.js';
import { useWords } from './words.js';

const ANY = '';

type FilterProps = {
  readonly search: LinksSearch;
  /** Undefined values remove their parameter. */
  readonly onChange: (changes: LinksSearch) => void;
};

export function FilterBar({
  search,
  onChange,
  searchBox,
}: FilterProps & { readonly searchBox: RefObject<HTMLInputElement | null> }) {
  const words = useWords();
  const id = useId();
  const text = useSearchText(search.q ?? '', (q) => onChange({ q: q === '' ? undefined : q }));
  const count = countMore(search);
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <div className={styles.bar}>
      <div className={styles.first}>
        <label className={styles.search}>
          <Icon name="search" size={18} />
          <span className="visually-hidden">{words.search}</span>
          <input
            ref={searchBox}
            type="search"
            placeholder={words.search}
            maxLength={128}
            spellCheck={false}
            {...text}
          />
        </label>
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Icon name="filter" size={18} />
          {count === 0 ? words.more : words.moreOn(count)}
        </Button>
      </div>
      <div id={id} className={isOpen ? styles.open : styles.closed}>
        <Choices search={search} onChange={onChange} />
        {isOpen ? <More search={search} onChange={onChange} /> : null}
      </div>
    </div>
  );
}

function Choices({ search, onChange }: FilterProps) {
  const words = useWords();
  const { types } = usePartsWords();
  const tags = useQuery(tagsQuery).data ?? [];
  const folders = useQuery(foldersQuery).data ?? [];
  const domains = useQuery(domainsQuery).data ?? [];
  const hosts = withChosen(hostOptions(domains.filter(({ status }) => status !== 'Pending')), search.domain);
  const choose = (name: keyof LinksSearch, fallback: string) => ({
    value: search[name] ?? fallback,
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) => {
      // Validates the value.
      const chosen = value === fallback ? undefined : value;
      onChange({ [name]: readSearch({ [name]: chosen })[name] });
    },
  });
  return (
    <div className={styles.choices}>
      <SelectField
        label={words.type}
        options={[
          { value: ANY, label: words.any },
          ...TYPES.map((value) => ({ value, label: types[value] })),
        ]}
        {...choose('type', ANY)}
      />
      <SelectField
        label={words.status}
        options={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
        {...choose('status', 'Active')}
        value={toFilter(search).status ?? 'Active'}
      />
      <SelectField
        label={words.tag}
        options={withChosen(
          [{ value: ANY, label: words.anyTag }, ...tags.map(({ name }) => ({ value: name, label: name }))],
          search.tag,
        )}
        {...choose('tag', ANY)}
      />
      <SelectField
        label={words.folder}
        options={withChosen(
          [
            { value: ANY, label: words.anyFolder },
            { value: 'none', label: words.noFolder },
            ...folders.map(({ id, name }) => ({ value: id, label: name })),
          ],
          search.folder,
        )}
        {...choose('folder', ANY)}
      />
      {hosts.length === 0 ? null : (
        <SelectField
          label={words.domain}
          options={[{ value: ANY, label: words.anyDomain }, ...hosts]}
          {...choose('domain', ANY)}
        />
      )}
      <SelectField
        label={words.sort}
        options={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        {...choose('sort', 'createdAt')}
      />
    </div>
  );
}

/** Adds the value of the address, which may not be loaded yet or may be deleted. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  return chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }];
}

function More({ search, onChange }: FilterProps) {
  const words = useWords();
  const { createdFrom = '', createdTo = '', archived = 'false', unsafe } = search;
  return (
    <div className={styles.choices}>
      <TextField
        type="date"
        label={words.createdFrom}
        value={createdFrom}
        max={createdTo}
        onChange={({ target: { value } }) => onChange({ createdFrom: value === '' ? undefined : value })}
      />
      <TextField
        type="date"
        label={words.createdTo}
        value={createdTo}
        min={createdFrom}
        onChange={({ target: { value } }) => onChange({ createdTo: value === '' ? undefined : value })}
      />
      <SelectField
        label={words.archived}
        options={ARCHIVED.map((value) => ({ value, label: words.archivedChoices[value] }))}
        value={archived}
        onChange={({ target: { value } }) =>
          onChange({ archived: readSearch({ archived: value === 'false' ? undefined : value }).archived })
        }
      />
      <div className={styles.check}>
        <CheckboxField
          label={words.unsafeOnly}
          checked={unsafe === 'true'}
          onChange={({ target: { checked } }) => onChange({ unsafe: checked ? 'true' : undefined })}
        />
      </div>
    </div>
  );
}
