import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useId } from 'react';
import { hasCode } from '../../app/api.js';
import { usePreferences } from '../../app/preferences.js';
import { accountQuery } from '../../app/queries.js';
import { inkOf } from '../../parts/ink.js';
import { Skeleton } from '../../parts/loaded.js';
import { ErrorNotice, InfoLine } from '../../parts/notice.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import { Breakdowns } from './breakdowns.js';
import { Chart } from './chart.js';
import { type Compared, useCompared } from './compare.js';
import { CsvDownload, PngDownload } from './downloads.js';
import styles from './figures.module.css';
import { Filters } from './filters.js';
import { PeriodBar } from './period-bar.js';
import { type FiguresQuery, filtersOf, hourLabel, spanOf } from './query.js';
import { type Choice, type Figures as Found, useFigures } from './read-figures.js';
import { useWords } from './words.js';

type Change = (changes: Partial<FiguresQuery>) => void;

/** Figures of a smartlink or of the account, for the query in the address. */
export function Figures({
  smartlinkId,
  hasButtons = false,
  title,
  themeColor,
  fileName,
  query,
  onChange,
  onRead,
}: {
  readonly smartlinkId?: string;
  /** Whether its page may have buttons, whose presses are shown. */
  readonly hasButtons?: boolean;
  /** Title of the PNG. */
  readonly title: string;
  readonly themeColor?: string | undefined;
  /** Name of downloads, without extension. */
  readonly fileName: string;
  readonly query: FiguresQuery;
  readonly onChange: Change;
  /** The first figures, or a failure, are there. */
  readonly onRead?: () => void;
}) {
  const preferences = usePreferences();
  const { data: account } = useQuery(accountQuery);
  const tz = query.tz ?? preferences.timeZone;
  const choice: Choice = { smartlinkId, tz, filters: filtersOf(query) };
  const nowMs = Date.now();
  const span = spanOf(query, tz, nowMs);
  const isLive = span.to === undefined || span.to >= hourLabel(nowMs, tz).slice(0, 10);
  const figures = useFigures(choice, span, isLive);
  const { isFetched } = figures;
  useEffect(() => {
    if (isFetched) onRead?.();
  }, [isFetched, onRead]);
  const { data: compared, error: comparedError } = useCompared(query, choice, span, { nowMs, isLive });
  const plan = account?.plan;
  return (
    <div className={styles.figures} style={{ '--ink': inkOf(themeColor) } as CSSProperties}>
      <PeriodBar {...{ query, smartlinkId, span, tz, plan, onChange }} error={figures.error} />
      <Filters query={query} onChange={onChange} />
      <Failure query={figures} />
      {hasCode(comparedError, 'PLAN_RESTRICTED') ? <BeforeRestricted /> : null}
      {figures.data === undefined && !figures.isError ? <Skeleton lines={8} /> : null}
      {figures.data === undefined || figures.data === null ? null : (
        <>
          <Since figures={figures.data} />
          <Totals figures={figures.data} compared={compared} isByHour={span.interval === 'hour'} />
          <Chart
            entries={figures.data.entries}
            compared={compared}
            interval={span.interval}
            action={
              <>
                <PngDownload
                  figures={figures.data}
                  interval={span.interval}
                  {...{ compared, choice, title, themeColor, fileName }}
                />
                <CsvDownload {...{ choice, span, fileName }} isRestricted={plan?.advanced === false} />
              </>
            }
          />
          <Breakdowns
            figures={figures.data}
            hasButtons={hasButtons}
            isOfLink={smartlinkId !== undefined}
            // While the plan loads, filters are allowed and the API decides.
            onFilter={plan?.advanced === false ? null : onChange}
          />
        </>
      )}
    </div>
  );
}

/** The error, if it is not shown at the date fields. Earlier figures stay below. */
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
  compared,
  isByHour,
}: {
  readonly figures: Found;
  readonly compared: Compared | null;
  readonly isByHour: boolean;
}) {
  const words = useWords();
  const otherName = compared === null || compared.link === null ? null : compared.name;
  return (
    <div className={styles.totals}>
      {(['clicks', 'scans', 'visitors', 'fallbacks'] as const).map((key) => (
        <Total
          key={key}
          label={key === 'visitors' && isByHour ? words.visitorsByHour : words[key]}
          value={figures[key]}
          before={compared?.figures[key]}
          otherName={otherName}
        />
      ))}
    </div>
  );
}

function Total({
  label,
  value,
  before,
  otherName,
}: {
  readonly label: string;
  readonly value: number;
  /** The compared value. */
  readonly before: number | undefined;
  /** Name of the compared smartlink. */
  readonly otherName: string | null;
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
          {otherName === null
            ? words.before(format.number(before))
            : `${otherName}: ${format.number(before)}`}
        </p>
      )}
    </div>
  );
}
