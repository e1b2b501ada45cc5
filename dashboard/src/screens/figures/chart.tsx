import { AxisBottom, AxisLeft } from '@visx/axis';
import { Group } from '@visx/group';
import { Bar } from '@visx/shape';
import { type CSSProperties, type ReactNode, useId, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../parts/button.js';
import { inkOf } from '../../parts/ink.js';
import {
  type Interval,
  labelOf,
  type Layout,
  layOut,
  tickOf,
  useLabelFormat,
  visitsOf,
} from './chart-layout.js';
import styles from './chart.module.css';
import type { Compared } from './compare.js';
import type { Entry } from './read-figures.js';
import { useWords } from './words.js';

/** Clicks and scans over time as bars in `--ink`, compared visits as a line; optionally as a table. */
export function Chart({
  entries,
  compared,
  interval,
  action,
}: {
  readonly entries: readonly Entry[];
  readonly compared: Compared | null;
  readonly interval: Interval;
  readonly action: ReactNode;
}) {
  const words = useWords();
  const id = useId();
  const format = useLabelFormat();
  const [hasTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const entry = pointed === null ? undefined : entries[pointed];
  const others = compared?.figures.entries ?? [];
  const other = pointed === null ? undefined : others[pointed];
  const ink = compared?.link ? ({ '--compared': inkOf(compared.link.themeColor) } as CSSProperties) : {};
  return (
    <section className={styles.chart} aria-labelledby={id} style={ink}>
      <div className={styles.head}>
        <h2 id={id}>{words.chart}</h2>
        <div className={styles.actions}>
          <Button aria-expanded={hasTable} onClick={() => setTable(!hasTable)}>
            {hasTable ? words.hideTable : words.showTable}
          </Button>
          {action}
        </div>
      </div>
      <p className={styles.legend}>
        <span className={styles.clicksKey} />
        {words.clicks}
        <span className={styles.scansKey} />
        {words.scans}
        {compared === null ? null : (
          <>
            <span className={styles.comparedKey} />
            {compared.name}
          </>
        )}
        {entry === undefined ? null : (
          <span className={styles.pointed}>
            {labelOf(entry.date, interval, format)}: {format.number(entry.clicks)} ·{' '}
            {format.number(entry.scans)}
            {other === undefined ? null : ` · ${format.number(visitsOf(other))}`}
          </span>
        )}
      </p>
      <Bars {...{ entries, others, interval, pointed }} onPoint={setPointed} />
      {hasTable ? <SeriesTable {...{ entries, compared, interval }} /> : null}
    </section>
  );
}

const HEIGHT = 240;
const MARGIN = { top: 8, right: 8, bottom: 28, left: 44 } as const;

function Bars({
  entries,
  others,
  interval,
  pointed,
  onPoint,
}: {
  readonly entries: readonly Entry[];
  readonly others: readonly Entry[];
  readonly interval: Interval;
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
}) {
  const words = useWords();
  const [frame, width] = useWidth();
  const layout = layOut(entries, others, {
    width: Math.max(0, width - MARGIN.left - MARGIN.right),
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  });
  const { x } = layout;
  return (
    <div ref={frame} className={styles.frame}>
      <svg
        role="img"
        aria-label={words.chart}
        width={width}
        height={HEIGHT}
        onPointerLeave={() => onPoint(null)}
      >
        <Group left={MARGIN.left} top={MARGIN.top}>
          <Axes layout={layout} interval={interval} />
          {entries.map((entry, index) => (
            <Group key={entry.date} left={x(entry.date) ?? 0}>
              <EntryBars entry={entry} layout={layout} />
              <Bar
                className={(index === pointed ? styles.isPointed : styles.target) ?? ''}
                x={(x.bandwidth() - x.step()) / 2}
                width={x.step()}
                height={layout.height}
                onPointerEnter={() => onPoint(index)}
              />
            </Group>
          ))}
          {/* Keeps the line legible over bars of the same colour. */}
          <polyline className={styles.halo} points={layout.line.join(' ')} />
          <polyline className={styles.compared} points={layout.line.join(' ')} />
        </Group>
      </svg>
    </div>
  );
}

function Axes({ layout, interval }: { readonly layout: Layout; readonly interval: Interval }) {
  const format = useLabelFormat();
  const { x, y, width, levels, ticks } = layout;
  const tick = { className: styles.tick ?? '', fill: 'currentColor', fontFamily: 'inherit', fontSize: 12 };
  return (
    <>
      {levels.map((level) => (
        <line key={level} className={styles.level} x2={width} y1={y(level)} y2={y(level)} />
      ))}
      <AxisLeft
        scale={y}
        tickValues={levels}
        hideAxisLine
        hideTicks
        tickFormat={(value) => format.compact(Number(value))}
        tickLabelProps={{ ...tick, textAnchor: 'end', dx: 4, dy: 4 }}
      />
      <AxisBottom
        scale={x}
        top={y(0)}
        tickValues={ticks}
        hideTicks
        axisLineClassName={styles.line ?? ''}
        tickFormat={(date) => tickOf(date, interval, format)}
        tickLabelProps={{ ...tick, textAnchor: 'middle' }}
      />
    </>
  );
}

function EntryBars({
  entry: { clicks, scans },
  layout: { barLeft: left, barWidth: width, height: bottom, heightOf },
}: {
  readonly entry: Entry;
  readonly layout: Layout;
}) {
  const [ofClicks, ofScans] = [heightOf(clicks), heightOf(scans)];
  return (
    <>
      <Bar className={styles.clicks ?? ''} x={left} y={bottom - ofClicks} width={width} height={ofClicks} />
      {scans === 0 ? null : (
        <Bar
          className={styles.scans ?? ''}
          x={left + 0.75}
          y={bottom - ofClicks - ofScans + 0.75}
          width={Math.max(0, width - 1.5)}
          height={Math.max(0, ofScans - 1.5)}
        />
      )}
    </>
  );
}

/** Current width of an element. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const width = useSyncExternalStore(
    (changed) => {
      const observer = new ResizeObserver(changed);
      if (element.current !== null) observer.observe(element.current);
      return () => {
        observer.disconnect();
      };
    },
    () => element.current?.clientWidth ?? 0,
  );
  return [element, width] as const;
}

function SeriesTable({
  entries,
  compared,
  interval,
}: {
  readonly entries: readonly Entry[];
  readonly compared: Compared | null;
  readonly interval: Interval;
}) {
  const words = useWords();
  const format = useLabelFormat();
  const rows = entries.map((entry, index) => ({ ...entry, other: compared?.figures.entries[index] }));
  return (
    <table aria-label={words.chart} className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{words.date}</th>
          <th scope="col" className={styles.number}>
            {words.clicks}
          </th>
          <th scope="col" className={styles.number}>
            {words.scans}
          </th>
          {compared === null ? null : (
            <th scope="col" className={styles.number}>
              {compared.name}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(({ date, clicks, scans, other }) => (
          <tr key={date}>
            <th scope="row">{labelOf(date, interval, format)}</th>
            <td className={styles.number}>{format.number(clicks)}</td>
            <td className={styles.number}>{format.number(scans)}</td>
            {compared === null ? null : (
              <td className={styles.number}>{other === undefined ? '' : format.number(visitsOf(other))}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
