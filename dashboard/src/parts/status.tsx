import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import styles from './status.module.css';

const SHOWN_MS = 4_000;

const Context = createContext<(text: string) => void>(() => undefined);

/** Announces a result such as `Copied`, on the screen for four seconds and to screen readers. */
export const useStatus = (): ((text: string) => void) => useContext(Context);

export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState<{ readonly text: string } | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => {
      setSaid(null);
    }, SHOWN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [said]);
  const say = useCallback((text: string) => setSaid({ text }), []);
  return (
    <Context value={say}>
      {children}
      {/* Open dialogs hide everything else without aria-live from screen readers. */}
      <div className={styles.place} role="status" aria-live="polite">
        {said === null ? null : <span className={styles.text}>{said.text}</span>}
      </div>
    </Context>
  );
}
