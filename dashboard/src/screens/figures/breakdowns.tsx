import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { Button } from '../../parts/button.js';
import { useFormat } from '../../words/format.js';
import styles from './figures.module.css';
import { type Dimension, DIMENSIONS, FILTERS, type FiguresQuery } from './query.js';
import type { Counts, Figures } from './read-figures.js';
import { useValueNames } from './value-names.js';
import { useWords } from './words.js';

const CountryMap = lazy(async () => ({ default: (await import('./country-map.js')).CountryMap }));

type OnFilter = ((changes: Partial<FiguresQuery>) => void) | null;

/** Visits by value of each dimension. Without `onFilter`, values are plain text. */
export function Breakdowns({
  figures,
  hasButtons,
  isOfLink,
  onFilter,
}: {
  readonly figures: Figures;
  /** One smartlink is in one domain, which is no filter then. */
  readonly isOfLink: boolean;
  /** Whether the buttons are shown even if none was pressed. */
  readonly hasButtons: boolean;
  readonly onFilter: OnFilter;
}) {
  const words = useWords();
  const nameOf = useValueNames();
  // `rule:<id>` or `variant:<id>`.
  const nameOfPart = (part: string): string => {
    const id = part.slice(part.indexOf(':') + 1);
    return part.startsWith('rule:') ? words.ruleNamed(id) : words.variantNamed(id);
  };
  const onPressOf = (dimension: Dimension) =>
    onFilter === null || (dimension === 'domains' && isOfLink)
      ? null
      : (value: string) => onFilter({ [FILTERS[dimension]]: value });
  const texts: Readonly<Partial<Record<Dimension, string>>> = {
    utmCampaigns: words.campaignsText,
    ...(isOfLink ? {} : { domains: words.domainsText }),
  };
  return (
    <div className={styles.breakdowns}>
      {DIMENSIONS.filter((dimension) => isShown(dimension, figures)).map((dimension) => (
        <CountTable
          key={dimension}
          title={words.dimensions[dimension]}
          text={texts[dimension]}
          header={words.one[dimension]}
          counts={figures.by[dimension]}
          total={figures.clicks + figures.scans}
          nameOf={(value) => nameOf(dimension, value)}
          onPress={onPressOf(dimension)}
          isFilter={(value) => isFilter(dimension, value)}
        >
          {dimension !== 'countries' || Object.keys(figures.by.countries).length === 0 ? null : (
            <Suspense fallback={<div className={styles.map} />}>
              <CountryMap
                counts={figures.by.countries}
                nameOf={(code) => nameOf('countries', code)}
                onPress={onPressOf('countries')}
              />
            </Suspense>
          )}
        </CountTable>
      ))}
      {Object.keys(figures.routes).length === 0 ? null : (
        <CountTable
          title={words.routes}
          header={words.route}
          counts={figures.routes}
          total={figures.clicks + figures.scans}
          nameOf={(route) => words.routeNames[route] ?? route.split('/').map(nameOfPart).join(', ')}
          onPress={null}
          isFilter={() => false}
        />
      )}
      <Buttons buttons={figures.buttons} isShown={hasButtons} />
      <CountTable
        title={words.notCounted}
        text={words.notCountedText}
        header={words.reason}
        counts={figures.excluded}
        total={0}
        nameOf={(value) => words.reasons[value] ?? value}
        onPress={null}
        isFilter={() => false}
      />
    </div>
  );
}

/** Visits have no domains if all were to the host of the service. */
const isShown = (dimension: Dimension, { by }: Figures): boolean =>
  dimension !== 'domains' || Object.keys(by.domains).length > 0;

/** Presses by button. Two stores have the same name. */
function Buttons({ buttons, isShown }: { readonly buttons: Figures['buttons']; readonly isShown: boolean }) {
  const words = useWords();
  const counts = Object.fromEntries(
    Object.entries(buttons).map(([button, { presses }]) => [button, presses] as const),
  );
  const total = Object.values(counts).reduce((sum, presses) => sum + presses, 0);
  if (total === 0 && !isShown) return null;
  const nameOf = (button: string): string => {
    const title = buttons[button]?.title ?? null;
    if (title === null) return words.formerButton(Number(button.slice(button.indexOf(':') + 1)) + 1);
    return button === 'store:ipadAppLink' ? `${title} (iPad)` : title;
  };
  return (
    <CountTable
      title={words.buttons}
      text={words.buttonsText}
      header={words.button}
      unit={words.presses}
      {...{ counts, total, nameOf }}
      onPress={null}
      isFilter={() => false}
    />
  );
}

/** Whether the API can filter by the value: commas separate values, and `other` sums up the less frequent ones. */
const isFilter = (dimension: Dimension, value: string): boolean =>
  !value.includes(',') && (value !== 'other' || dimension === 'devices');

const ROWS = 7;

function CountTable({
  title,
  text,
  header,
  unit,
  counts,
  total,
  nameOf,
  onPress,
  isFilter,
  children,
}: {
  readonly title: string;
  readonly text?: string | undefined;
  readonly header: string;
  /** What is counted; visits by default. */
  readonly unit?: string;
  readonly counts: Counts;
  /** Total for the bars; 0: no bars. */
  readonly total: number;
  readonly nameOf: (value: string) => string;
  readonly onPress: ((value: string) => void) | null;
  readonly isFilter: (value: string) => boolean;
  /** Below the table. */
  readonly children?: ReactNode;
}) {
  const words = useWords();
  const format = useFormat();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const all = Object.entries(counts).toSorted((a, b) => b[1] - a[1]);
  const rows = isWhole ? all : all.slice(0, ROWS);
  return (
    <section className={styles.breakdown}>
      <h2 id={id}>{title}</h2>
      {text === undefined ? null : <p className={styles.reason}>{text}</p>}
      <table aria-labelledby={id} className={styles.table}>
        <Head header={header} unit={unit ?? words.visits} />
        <tbody>
          {rows.map(([value, count]) => (
            <tr key={value}>
              <td className={styles.cell}>
                {total === 0 ? null : <Bar share={count / total} />}
                <Value
                  name={nameOf(value)}
                  onPress={onPress === null || !isFilter(value) ? null : () => onPress(value)}
                />
              </td>
              <td className={styles.number}>{format.number(count)}</td>
            </tr>
          ))}
          {rows.length === 0 ? (
            <tr>
              <td colSpan={2} className={styles.nothing}>
                {words.none}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {all.length > rows.length ? (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {words.showAll(all.length)}
        </Button>
      ) : null}
      {children}
    </section>
  );
}

function Head({ header, unit }: { readonly header: string; readonly unit: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{header}</th>
        <th scope="col" className={styles.number}>
          {unit}
        </th>
      </tr>
    </thead>
  );
}

/** A value, or a button with `onPress`. */
function Value({ name, onPress }: { readonly name: string; readonly onPress: (() => void) | null }) {
  if (onPress === null) return <span className={styles.text}>{name}</span>;
  return (
    <button type="button" className={styles.filter} onClick={onPress}>
      {name}
    </button>
  );
}

function Bar({ share }: { readonly share: number }) {
  return <span className={styles.bar} style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />;
}
