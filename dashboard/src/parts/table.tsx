import type { ReactNode } from 'react';
import styles from './table.module.css';
import { useWords } from './words.js';

export type Column<Row> = {
  /** Unique in the table. */
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `main`: the row's name, first on a phone. Default: text. */
  readonly kind?: 'main' | 'text' | 'number' | 'actions';
};

/**
 * A table of up to a few hundred rows, each a card on phones. Roles are explicit, because the card layout removes them in
 * some browsers.
 */
export function Table<Row>({
  label,
  columns: dataColumns,
  rows,
  rowKey,
  actions,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Buttons of a row, in the last column. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
}) {
  const words = useWords();
  const columns: readonly Column<Row>[] =
    actions === undefined
      ? dataColumns
      : [...dataColumns, { header: words.actions, kind: 'actions', cell: actions }];
  return (
    <div className={styles.scroll}>
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row" className={styles.headRow}>
            {columns.map(({ header, kind = 'text' }) => (
              <th
                key={header}
                role="columnheader"
                scope="col"
                className={`${styles.head} ${styles[kind] ?? ''}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className={styles.row}>
              {columns.map(({ header, cell, kind = 'text' }) => (
                <td
                  key={header}
                  role="cell"
                  data-label={kind === 'main' || kind === 'actions' ? undefined : header}
                  className={`${styles.cell} ${styles[kind] ?? ''}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
