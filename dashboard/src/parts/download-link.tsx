import type { ReactNode } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.js';

/** A file of the API, which the browser saves. */
export function DownloadLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} download className={`${styles.button} ${styles.secondary}`}>
      <Icon name="import" />
      {children}
    </a>
  );
}
