import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './page.module.css';
import { useWords } from './words.js';

let shownPages = 0;

/** A screen. Its heading is also the window title. */
export function Page({
  title,
  intro,
  action,
  children,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  /** The main action, beside the heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useHeading(title);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {action}
      </div>
      {intro === undefined ? null : <p className={styles.intro}>{intro}</p>}
      {children}
    </div>
  );
}

/** For a screen's h1, which takes the focus after navigation, so that screen readers announce it. */
export function useHeading(title: string) {
  const { product } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  useEffect(() => {
    // On the first page the focus stays at the start, before "Skip to content".
    if (shownPages > 0) heading.current?.focus({ preventScroll: true });
    shownPages += 1;
  }, []);
  return heading;
}

/** A titled part of a screen. */
export function Section({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A one-column form, validated by the API instead of the browser. */
export function Form({ children, ...form }: ComponentProps<'form'>) {
  return (
    <form noValidate {...form} className={styles.form}>
      {children}
    </form>
  );
}

export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
