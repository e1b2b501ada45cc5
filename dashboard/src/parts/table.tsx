import type { ReactNode } from 'react';
import styles from './table.module.css';

export type Column<Row> = {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** `main`: the row's name, first on a phone. `actions`: buttons, beside it. Default: text. */
  readonly kind?: 'main' | 'text' | 'number' | 'actions';
};

/**
 * A table for lists of up to some hundred rows; on phones each row is a card. The roles are written out, since the style of
 * the cards takes them away in some browsers.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}) {
  return (
    <div className={styles.scroll}>
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row" className={styles.headRow}>
            {columns.map(({ key, header, kind = 'text' }) => (
              <th
                key={key}
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
              {columns.map(({ key, header, cell, kind = 'text' }) => (
                <td
                  key={key}
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
