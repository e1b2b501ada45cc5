import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { Icon } from '../../parts/icon.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from './editor.module.css';
import { type Faults, fieldOf, focusFault } from './form/faults.js';

type Problem = { readonly path: string; readonly label: string | null; readonly message: string };

/** The faults that prevent saving, with links to their fields. Takes the focus after each attempt. */
export function Problems({ faults, tries }: { readonly faults: Faults; readonly tries: number }) {
  const words = usePartsWords();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const all = useSyncExternalStore(faults.subscribe, faults.all);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useEffect(() => {
    // After rendering, because the labels of the fields name the links.
    setProblems([...all].map(([path, message]) => ({ path, label: labelOf(fieldOf(path)), message })));
  }, [all]);
  const hasProblems = problems.length > 0;
  useEffect(() => {
    if (hasProblems) box.current?.focus();
  }, [tries, hasProblems]);
  if (!hasProblems) return null;
  return (
    <div className={styles.problems} role="alert" aria-labelledby={id} tabIndex={-1} ref={box}>
      <h2 id={id}>
        <Icon name="alert" />
        {words.problems(problems.length)}
      </h2>
      <ul>
        {problems.map(({ path, label, message }) => (
          <li key={path}>
            {label === null ? (
              message
            ) : (
              <a
                href={`#${path}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusFault(path);
                }}
              >
                {label}: {message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function labelOf(field: HTMLElement | null): string | null {
  if (field === null) return null;
  const labels = 'labels' in field ? (field as HTMLInputElement).labels : null;
  return (
    field.getAttribute('aria-label') ??
    labels?.[0]?.textContent ??
    field.querySelector('h3')?.textContent ??
    field.id
  );
}
