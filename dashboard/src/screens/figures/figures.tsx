import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useId } from 'react';
import { accountQuery } from '../../app/account.js';
import { hasCode } from '../../app/api.js';
import { usePreferences } from '../../app/preferences.js';
import { inkOf } from '../../parts/ink.js';
import { ErrorNotice, InfoLine } from '../../parts/notice.js';
import { Skeleton } from '../../parts/skeleton.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import { Breakdowns } from './breakdowns.js';
import { Chart } from './chart.js';
import { CsvDownload, PngDownload } from './downloads.js';
import styles from './figures.module.css';
import { Filters } from './filters.js';
import { PeriodBar } from './period-bar.js';
import { type FiguresQuery, filtersOf, hourLabel, spanBefore, spanOf } from './query.js';
import { type Choice, type Figures as Found, useFigures } from './read-figures.js';
import { useWords } from './words.js';

type Change = (changes: Partial<FiguresQuery>) => void;

/** The figures of a smartlink, or of the account, as the address bar asks for them. */
export function Figures({
  smartlinkId,
  title,
  themeColor,
  fileName,
  query,
  onChange,
}: {
  readonly smartlinkId?: string;
  /** Of the picture. */
  readonly title: string;
  readonly themeColor?: string | undefined;
  /** Of downloads, without their ending. */
  readonly fileName: string;
  readonly query: FiguresQuery;
  readonly onChange: Change;
}) {
  const preferences = usePreferences();
  const { data: account } = useQuery(accountQuery);
  const tz = query.tz ?? preferences.timeZone;
  const choice: Choice = { smartlinkId, tz, filters: filtersOf(query) };
  const nowMs = Date.now();
  const span = spanOf(query, tz, nowMs);
  const isLive = span.to === undefined || span.to >= hourLabel(nowMs, tz).slice(0, 10);
  const figures = useFigures(choice, span, isLive);
  const { compare } = query;
  const spanToCompare = compare === undefined ? null : spanBefore(span, compare, { timeZone: tz, nowMs });
  const before = useFigures(choice, spanToCompare, false);
  const plan = account?.plan;
  return (
    <div className={styles.figures} style={{ '--ink': inkOf(themeColor) } as CSSProperties}>
      <PeriodBar query={query} span={span} tz={tz} plan={plan} error={figures.error} onChange={onChange} />
      <Filters query={query} onChange={onChange} />
      <Failure query={figures} />
      {hasCode(before.error, 'PLAN_RESTRICTED') ? <BeforeRestricted /> : null}
      {figures.data === undefined && !figures.isError ? <Skeleton lines={8} /> : null}
      {figures.data === undefined || figures.data === null ? null : (
        <>
          <Since figures={figures.data} />
          <Totals
            figures={figures.data}
            before={spanToCompare === null ? null : (before.data ?? null)}
            isByHour={span.interval === 'hour'}
          />
          <Chart
            entries={figures.data.entries}
            interval={span.interval}
            action={
              <>
                <PngDownload
                  figures={figures.data}
                  interval={span.interval}
                  {...{ choice, title, themeColor, fileName }}
                />
                <CsvDownload {...{ choice, span, fileName }} isRestricted={plan?.advanced === false} />
              </>
            }
          />
          <Breakdowns
            figures={figures.data}
            // Until the plan is known, its answer decides.
            onFilter={plan?.advanced === false ? null : onChange}
          />
        </>
      )}
    </div>
  );
}

/** What failed. Faults of the range stand at its fields, and what was read before stays below. */
function Failure({ query }: { readonly query: ReturnType<typeof useFigures> }) {
  const words = useWords();
  const { oldData } = usePartsWords();
  const format = useFormat();
  const { error, isError, data, dataUpdatedAt } = query;
  if (!isError || hasCode(error, 'VALIDATION_FAILED')) return null;
  const isRestricted = hasCode(error, 'PLAN_RESTRICTED');
  return (
    <>
      <ErrorNotice
        error={error}
        {...(isRestricted ? {} : { heading: words.unavailable, onRetry: () => void query.refetch() })}
      />
      {data === undefined ? null : (
        <InfoLine icon="alert">{oldData(format.dateTime(new Date(dataUpdatedAt)))}</InfoLine>
      )}
    </>
  );
}

function BeforeRestricted() {
  return <InfoLine>{useWords().beforeRestricted}</InfoLine>;
}

function Since({ figures: { availableFrom } }: { readonly figures: Found }) {
  const words = useWords();
  const format = useFormat();
  if (availableFrom === null) return null;
  return <InfoLine icon="alert">{words.since(format.date(`${availableFrom}T12:00:00Z`))}</InfoLine>;
}

function Totals({
  figures,
  before,
  isByHour,
}: {
  readonly figures: Found;
  readonly before: Found | null;
  readonly isByHour: boolean;
}) {
  const words = useWords();
  return (
    <div className={styles.totals}>
      <Total label={words.clicks} value={figures.clicks} before={before?.clicks} />
      <Total label={words.scans} value={figures.scans} before={before?.scans} />
      <Total
        label={isByHour ? words.visitorsByHour : words.visitors}
        value={figures.visitors}
        before={before?.visitors}
      />
      <Total label={words.fallbacks} value={figures.fallbacks} before={before?.fallbacks} />
    </div>
  );
}

function Total({
  label,
  value,
  before,
}: {
  readonly label: string;
  readonly value: number;
  readonly before: number | undefined;
}) {
  const words = useWords();
  const format = useFormat();
  const id = useId();
  const change = before === undefined || before === 0 ? null : (value - before) / before;
  return (
    <div role="group" aria-labelledby={id} className={styles.total}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <p className={styles.value}>{format.number(value)}</p>
      {before === undefined ? null : (
        <p className={styles.before}>
          {change === null ? null : `${change > 0 ? '+' : ''}${format.percent(change)} · `}
          {words.before(format.number(before))}
        </p>
      )}
    </div>
  );
}
