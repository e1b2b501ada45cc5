import type { ReactNode } from 'react';
import { useHeading } from '../page.js';
import { useWords } from '../words.js';
import styles from './entrance.module.css';
import { LanguageField } from './language-field.js';
import { Mark } from './mark.js';

/** Frame of the screens before sign-in: a centred card. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const words = useWords();
  const heading = useHeading(title);
  return (
    <main className={styles.entrance}>
      <p className={styles.brand}>
        <Mark />
        {words.product}
      </p>
      <div className={styles.card}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
      <div className={styles.language}>
        <LanguageField />
      </div>
    </main>
  );
}
