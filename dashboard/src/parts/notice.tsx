import { type ReactNode, useId } from 'react';
import { Button } from './button.js';
import { describeError } from './fault-text.js';
import { Icon } from './icon.js';
import styles from './notice.module.css';
import { useWords } from './words.js';

/** Replaces an empty list. */
export function EmptyNotice({
  heading,
  children,
  action,
}: {
  readonly heading: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${styles.empty}`}>
      <h2>{heading}</h2>
      {children === undefined ? null : <p className={styles.text}>{children}</p>}
      {action}
    </div>
  );
}

/** Replaces what failed to load. `heading` names it. */
export function ErrorNotice({
  error,
  heading,
  onRetry,
}: {
  readonly error: unknown;
  readonly heading?: string;
  readonly onRetry?: () => void;
}) {
  const words = useWords();
  const id = useId();
  const { heading: failure, text, requestId } = describeError(error, words);
  return (
    <div className={`${styles.notice} ${styles.problem}`} role="alert" aria-labelledby={id}>
      <div className={styles.head}>
        <Icon name="alert" />
        <h2 id={id}>{heading ?? failure}</h2>
      </div>
      <p>{text}</p>
      {requestId === null ? null : (
        <p className={styles.id}>
          {words.requestId} {requestId}
        </p>
      )}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{words.tryAgain}</Button>}
    </div>
  );
}

/** The error of an action, beside its button; nothing for null. */
export function ErrorLine({ error }: { readonly error: unknown }) {
  const words = useWords();
  if (error === null || error === undefined) return null;
  return <ErrorText>{describeError(error, words).text}</ErrorText>;
}

/** An error in the screen's own words. */
export function ErrorText({ children }: { readonly children: ReactNode }) {
  return (
    <p className={`${styles.line} ${styles.problem}`} role="alert">
      <Icon name="alert" size={18} />
      {children}
    </p>
  );
}

/** The reason why something is absent, such as the plan. */
export function InfoLine({
  icon = 'lock',
  children,
}: {
  readonly icon?: 'lock' | 'alert';
  readonly children: ReactNode;
}) {
  return (
    <p className={styles.line}>
      <Icon name={icon} size={18} />
      <span>{children}</span>
    </p>
  );
}

/** Replaces a screen that needs a higher role. */
export function LookOnlyNotice({ role }: { readonly role: string }) {
  const words = useWords();
  return (
    <div className={styles.notice}>
      <p>{words.needsRole(role)}</p>
    </div>
  );
}
