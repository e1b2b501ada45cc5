import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A short label after a name, as in `ann@example.com  You`. */
export function Badge({ children }: { readonly children: ReactNode }) {
  return <span className={styles.badge}>{children}</span>;
}
