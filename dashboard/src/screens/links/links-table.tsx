import { useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { editPath } from '../../app/link-paths.js';
import { useShortcuts } from '../../app/shortcuts.js';
import { copyText } from '../../parts/copy-button.js';
import { useStatus } from '../../parts/status.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { LinkRow, type RowActions } from './link-row.js';
import styles from './links-table.module.css';
import type { Link } from './list.js';
import { useWords } from './words.js';

// Fixed row heights, equal to those in the style sheet.
const ROW_PX = 56;
const CARD_PX = 100;
// Below these widths columns are hidden, then rows become cards.
const WIDE_PX = 976;
const TABLE_PX = 700;
const OVERSCAN_ROWS = 8;
const NEXT_PAGE_PX = 1_000;
/** Height covered by the sticky header and the bulk bar. */
const COVERED_PX = 96;

type Layout = 'wide' | 'medium' | 'cards';

type TableProps = {
  readonly links: readonly Link[];
  /** Null: above 10,000. */
  readonly total: number | null;
  readonly selected: ReadonlySet<string>;
  /** Whether rows can be selected and changed. */
  readonly mayWrite: boolean;
  /** Link whose menu is open. */
  readonly menuId: string | undefined;
  readonly actions: RowActions;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly hasNextPage: boolean;
  readonly onNextPage: () => void;
};

/** Only rows near the viewport are in the document; padding replaces the others. */
export function LinksTable({
  links,
  total,
  selected,
  mayWrite,
  menuId,
  actions,
  onSelectAll,
  hasNextPage,
  onNextPage,
}: TableProps) {
  const words = useWords();
  const body = useRef<HTMLTableSectionElement>(null);
  const { layout, top } = usePlace(body);
  const rowPx = layout === 'cards' ? CARD_PX : ROW_PX;
  const virtualizer = useWindowVirtualizer({
    count: links.length,
    estimateSize: () => rowPx,
    // Those around the viewport: see `useRenderedRows`.
    overscan: 0,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PX,
    scrollPaddingEnd: COVERED_PX,
  });
  useLayoutEffect(() => {
    virtualizer.measure();
  }, [virtualizer, rowPx]);

  const { startIndex, endIndex } = virtualizer.calculateRange() ?? { startIndex: 0, endIndex: -1 };
  const rendered = useRenderedRows(startIndex, endIndex, links.length);
  const isNearEnd = (links.length - 1 - endIndex) * rowPx < NEXT_PAGE_PX;
  useEffect(() => {
    if (hasNextPage && isNearEnd) onNextPage();
  }, [hasNextPage, isNearEnd, onNextPage, links.length]);

  const rowFocus = useRowFocus(body, (index) => virtualizer.scrollToIndex(index));
  useRowKeys({ links, actions, mayWrite, ...rowFocus });

  const space = {
    paddingBlockStart: rendered.start * rowPx,
    paddingBlockEnd: (links.length - rendered.end) * rowPx,
  };
  return (
    <table
      role="table"
      aria-label={words.heading}
      aria-rowcount={total ?? -1}
      className={`${styles.table} ${styles[layout]} ${mayWrite ? styles.selectable : ''}`}
    >
      <Head
        mayWrite={mayWrite}
        isAnySelected={selected.size > 0}
        areAllSelected={links.length > 0 && links.every(({ id }) => selected.has(id))}
        onSelectAll={onSelectAll}
      />
      <tbody ref={body} role="rowgroup" className={styles.body} style={space}>
        {links.slice(rendered.start, rendered.end).map((link, place) => (
          <LinkRow
            key={link.id}
            link={link}
            index={rendered.start + place}
            isSelected={selected.has(link.id)}
            mayWrite={mayWrite}
            isMenuOpen={link.id === menuId}
            actions={actions}
          />
        ))}
      </tbody>
    </table>
  );
}

const HEADERS = [
  { key: 'name' },
  { key: 'address' },
  { key: 'type' },
  { key: 'tags', look: styles.wideOnly },
  { key: 'visits', look: styles.number },
  { key: 'lastVisit', look: styles.wideOnly },
  { key: 'created', look: styles.wideOnly },
] as const;

function Head({
  mayWrite,
  areAllSelected,
  isAnySelected,
  onSelectAll,
}: Pick<TableProps, 'mayWrite' | 'onSelectAll'> & {
  readonly areAllSelected: boolean;
  readonly isAnySelected: boolean;
}) {
  const words = useWords();
  const { actions } = usePartsWords();
  return (
    <thead role="rowgroup" className={styles.head}>
      <tr role="row" className={styles.headRow}>
        {mayWrite ? (
          <th role="columnheader" scope="col" className={styles.check}>
            <label className={styles.box}>
              <input
                ref={(input) => {
                  if (input !== null) input.indeterminate = isAnySelected && !areAllSelected;
                }}
                type="checkbox"
                aria-label={words.selectAll}
                checked={areAllSelected}
                onChange={({ target: { checked } }) => onSelectAll(checked)}
              />
              <span className={styles.cardsOnly} aria-hidden="true">
                {words.selectAll}
              </span>
            </label>
          </th>
        ) : null}
        {HEADERS.map(({ key, ...header }) => (
          <th
            key={key}
            role="columnheader"
            scope="col"
            className={'look' in header ? header.look : undefined}
          >
            {words.columns[key]}
          </th>
        ))}
        <th role="columnheader" scope="col">
          <span className="visually-hidden">{actions}</span>
        </th>
      </tr>
    </thead>
  );
}

/** The rows in the viewport, and those around them once there is time: a jump draws half as many at once. */
function useRenderedRows(startIndex: number, endIndex: number, count: number) {
  const start = Math.max(0, useDeferredValue(startIndex) - OVERSCAN_ROWS);
  const end = Math.min(count, useDeferredValue(endIndex) + 1 + OVERSCAN_ROWS);
  // After a jump the rows around the last place are elsewhere.
  if (end < startIndex || start > endIndex) return { start: startIndex, end: endIndex + 1 };
  return { start: Math.min(start, startIndex), end: Math.max(end, endIndex + 1) };
}

/** Offset of the rows on the page, and the layout for their width. */
function usePlace(body: RefObject<HTMLElement | null>): { readonly layout: Layout; readonly top: number } {
  const [place, setPlace] = useState<{ readonly layout: Layout; readonly top: number }>({
    layout: 'wide',
    top: 0,
  });
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const layout = box.width >= WIDE_PX ? 'wide' : box.width >= TABLE_PX ? 'medium' : 'cards';
      const top = Math.round(box.top + scrollY);
      setPlace((before) => (before.layout === layout && before.top === top ? before : { layout, top }));
    };
    measure();
    // Content above the rows may grow and move them, so the whole page is observed.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [body]);
  return place;
}

/** The index of the focused row, and a function that focuses one, rendering it first if needed. */
function useRowFocus(body: RefObject<HTMLElement | null>, scrollTo: (index: number) => void) {
  // Set until the row is rendered, as keys may come faster.
  const wanted = useRef<number | null>(null);
  const tryFocus = useCallback(() => {
    if (wanted.current === null) return;
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-open]`);
    if (link === null || link === undefined) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  }, [body]);
  useLayoutEffect(tryFocus);
  return {
    /** -1: none. */
    focusedIndex: (): number => {
      if (wanted.current !== null) return wanted.current;
      const row = document.activeElement?.closest<HTMLElement>('[data-index]');
      return row === null || row === undefined || body.current?.contains(row) !== true
        ? -1
        : Number(row.dataset.index);
    },
    focusRow: (index: number) => {
      wanted.current = index;
      scrollTo(index);
      tryFocus();
    },
  };
}

function useRowKeys({
  links,
  actions,
  mayWrite,
  focusedIndex,
  focusRow,
}: {
  readonly links: readonly Link[];
  readonly actions: RowActions;
  readonly mayWrite: boolean;
  readonly focusedIndex: () => number;
  readonly focusRow: (index: number) => void;
}): void {
  const { copied, notCopied } = usePartsWords();
  const say = useStatus();
  const navigate = useNavigate();
  const onCurrent = (action: (link: Link) => void) => () => {
    const link = links[focusedIndex()];
    if (link !== undefined) action(link);
  };
  const move = (step: 1 | -1) => () => {
    const index = focusedIndex() + step;
    if (index >= 0 && index < links.length) focusRow(index);
  };
  const reading = {
    j: move(1),
    k: move(-1),
    c: onCurrent(({ relink }) => {
      void copyText(relink).then((isCopied) => {
        say(isCopied ? copied : notCopied);
      });
    }),
    q: onCurrent(actions.openQr),
  };
  const writing = {
    x: onCurrent(({ id }) => actions.toggle(id)),
    e: onCurrent(({ id }) => void navigate({ to: editPath(id) })),
  };
  useShortcuts(mayWrite ? { ...reading, ...writing } : reading);
}
