import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../app/api.js';
import { linkQuery, themeColorOf } from '../../app/queries.js';
import { SelectField, TextField } from '../../parts/field.js';
import { ErrorLine } from '../../parts/notice.js';
import { useSettled } from '../../parts/typing.js';
import { COMPARISONS, type FiguresQuery, type Span, spanBefore } from './query.js';
import { type Choice, type Figures, useFigures } from './read-figures.js';
import { useWords } from './words.js';

/** Figures to compare with. */
export type Compared = {
  readonly name: string;
  readonly figures: Figures;
  /** Set when compared with another smartlink. */
  readonly link: { readonly themeColor: string | undefined } | null;
};

/** The compared figures: of an earlier period, or of another smartlink. */
export function useCompared(
  { compare, with: otherId }: FiguresQuery,
  choice: Choice,
  span: Span,
  { nowMs, isLive }: { readonly nowMs: number; readonly isLive: boolean },
): { readonly data: Compared | null; readonly error: unknown } {
  const words = useWords();
  const isLink = compare === 'link' && otherId !== undefined && choice.smartlinkId !== undefined;
  const { data: link } = useQuery({ ...linkQuery(otherId ?? ''), enabled: isLink });
  const spanToCompare =
    compare === undefined || compare === 'link'
      ? null
      : spanBefore(span, compare, { timeZone: choice.tz, nowMs });
  const found = useFigures(
    isLink ? { ...choice, smartlinkId: otherId } : choice,
    isLink ? span : spanToCompare,
    isLink && isLive,
  );
  const { data: figures = null, error } = found;
  if (figures === null || compare === undefined) return { data: null, error };
  if (compare !== 'link') {
    if (spanToCompare === null) return { data: null, error };
    return { data: { name: words.compared[compare], figures, link: null }, error };
  }
  if (link === undefined || !isLink) return { data: null, error };
  const name = link.configuration.smartlinkName;
  return { data: { name, figures, link: { themeColor: themeColorOf(link) } }, error };
}

type Change = (changes: Partial<FiguresQuery>) => void;

export function CompareFields({
  query: { compare, with: otherId },
  smartlinkId,
  isOpen,
  onChange,
}: {
  readonly query: FiguresQuery;
  readonly smartlinkId: string | undefined;
  /** Whether the range has no start. */
  readonly isOpen: boolean;
  readonly onChange: Change;
}) {
  const words = useWords();
  const choices = COMPARISONS.filter((each) => (each === 'link' ? smartlinkId !== undefined : !isOpen));
  const chosen = choices.find((each) => each === compare);
  return (
    <>
      <SelectField
        label={words.compare}
        {...(isOpen ? { description: words.noComparison } : {})}
        disabled={choices.length === 0}
        options={[
          { value: '', label: words.comparisons.none },
          ...choices.map((value) => ({ value, label: words.comparisons[value] })),
        ]}
        value={chosen ?? ''}
        onChange={({ target: { value } }) =>
          onChange({ compare: choices.find((each) => each === value), with: undefined })
        }
      />
      {chosen === 'link' ? (
        <LinkField value={otherId} excluded={smartlinkId} onChange={(id) => onChange({ with: id })} />
      ) : null}
    </>
  );
}

const SUGGESTIONS = 10;

type Named = {
  readonly configuration: { readonly smartlinkName: string; readonly smartlinkUrl: string };
};
const labelOf = ({ configuration: { smartlinkName, smartlinkUrl } }: Named): string =>
  `${smartlinkName} (${smartlinkUrl})`;

/** Chooses a smartlink by name or address. */
function LinkField({
  value,
  excluded,
  onChange,
}: {
  readonly value: string | undefined;
  readonly excluded: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}) {
  const words = useWords();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useQuery({ ...linkQuery(value ?? ''), enabled: value !== undefined });
  const q = useSettled((typed ?? '').trim());
  const { data: found = [] } = useQuery({
    queryKey: ['links', 'to-compare', q],
    queryFn: async ({ signal }) => {
      const filter = { ...(q === '' ? {} : { q }), limit: SUGGESTIONS };
      return (await api.smartlinks.summaries(filter, { signal })).data;
    },
    placeholderData: keepPreviousData,
  });
  const choose = (text: string) => {
    setTyped(text);
    if (text === '') onChange(undefined);
    const match = found.find((link) => link.relink === text || labelOf(link) === text);
    if (match === undefined) return;
    // A chosen option is not a search text.
    setTyped(null);
    onChange(match.id);
  };
  return (
    <div>
      <TextField
        label={words.linkToCompare}
        list={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        value={typed ?? (chosen.data === undefined ? '' : labelOf(chosen.data))}
        onChange={({ target }) => choose(target.value)}
        onBlur={() => setTyped(null)}
      />
      <datalist id={id}>
        {found
          .filter((link) => link.id !== excluded)
          .map((link) => (
            <option key={link.id} value={labelOf(link)} />
          ))}
      </datalist>
      <ErrorLine error={chosen.error} />
    </div>
  );
}
