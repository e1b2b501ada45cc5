import styles from './skeleton.module.css';
import { useWords } from './words.js';

/** In place of what loads, after 200 ms. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const words = useWords();
  return (
    <div className={styles.lines} aria-busy="true">
      <span className={styles.hidden}>{words.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={styles.line} />
      ))}
    </div>
  );
}
