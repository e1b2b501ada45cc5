import { useId, useState } from 'react';
import type { Account } from '@smartlink/client';
import { Button } from '../../parts/button.js';
import { faultsByPath } from '../../parts/fault-text.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { CompareFields } from './compare.js';
import styles from './figures.module.css';
import { type FiguresQuery, type Period, periodOf, PERIODS, type Span, timeZones } from './query.js';
import { useWords } from './words.js';

type Plan = Account['plan'];

/** Period, time zone and comparison. */
export function PeriodBar({
  query,
  smartlinkId,
  span,
  tz,
  plan,
  error,
  onChange,
}: {
  readonly query: FiguresQuery;
  readonly smartlinkId: string | undefined;
  readonly span: Span;
  readonly tz: string;
  readonly plan: Plan | undefined;
  /** Error of the figures. */
  readonly error: unknown;
  readonly onChange: (changes: Partial<FiguresQuery>) => void;
}) {
  const words = useWords();
  const faults = faultsByPath(error, usePartsWords());
  return (
    <div role="group" aria-label={words.period} className={styles.period}>
      <PeriodButtons query={query} plan={plan} onChange={onChange} />
      <div className={styles.fields}>
        <DayField
          label={words.from}
          value={span.from ?? ''}
          error={faults.has('from') ? words.invalidRange : undefined}
          onChange={(from) => onChange({ period: undefined, from, to: query.to ?? span.to })}
        />
        <DayField
          label={words.to}
          value={span.to ?? ''}
          onChange={(to) => onChange({ period: undefined, from: query.from ?? span.from, to })}
        />
        <SelectField
          label={words.timeZone}
          options={timeZones().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          value={tz}
          onChange={({ target: { value } }) => onChange({ tz: value })}
        />
        <CompareFields {...{ query, smartlinkId, onChange }} isOpen={span.from === undefined} />
      </div>
    </div>
  );
}

const DAYS_BACK: Readonly<Record<Period, number>> = {
  '24h': 2,
  '7d': 7,
  '30d': 30,
  '12m': 365,
  // The API starts at the plan's first day.
  all: 0,
};

function PeriodButtons({
  query,
  plan,
  onChange,
}: {
  readonly query: FiguresQuery;
  readonly plan: Plan | undefined;
  readonly onChange: (changes: Partial<FiguresQuery>) => void;
}) {
  const words = useWords();
  const id = useId();
  const chosen = periodOf(query);
  const daysMax = plan?.analyticsDays ?? Infinity;
  const isRestricted = (period: Period): boolean =>
    (period === '24h' && plan?.advanced === false) || DAYS_BACK[period] > daysMax;
  const reasons = [
    ...(plan?.advanced === false ? [words.planAdvanced] : []),
    ...(Number.isFinite(daysMax) ? [words.planDays(daysMax)] : []),
  ];
  return (
    <>
      <div className={styles.buttons}>
        {PERIODS.map((period) => (
          <Button
            key={period}
            aria-pressed={period === chosen}
            className={styles.choice}
            disabled={isRestricted(period)}
            aria-describedby={isRestricted(period) ? id : undefined}
            onClick={() => onChange({ period, from: undefined, to: undefined })}
          >
            {words.periods[period]}
          </Button>
        ))}
      </div>
      {PERIODS.some(isRestricted) ? (
        <p id={id} className={styles.reason}>
          {reasons.join(' ')}
        </p>
      ) : null}
    </>
  );
}

const EARLIEST = '1970-01-01';

/** A date. Ignores the years 2, 20 and 202, which occur while a year is typed. */
function DayField({
  label,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (date: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      type="date"
      label={label}
      error={error}
      value={typed ?? value}
      onChange={({ target: { value: date } }) => {
        setTyped(date);
        if (date >= EARLIEST) onChange(date);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
