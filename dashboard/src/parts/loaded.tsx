import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat } from '../words/format.js';
import { ErrorNotice, InfoLine } from './notice.js';
import styles from './skeleton.module.css';
import { useWords } from './words.js';

/**
 * Renders the data of a query, or a skeleton, or the error with "Try again". Data stays visible, with its time, when
 * a later read fails.
 */
export function Loaded<Data>({
  query,
  lines = 3,
  children,
}: {
  readonly query: Pick<
    UseQueryResult<Data>,
    'data' | 'error' | 'refetch' | 'isFetching' | 'dataUpdatedAt' | 'isError'
  >;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const words = useWords();
  const format = useFormat();
  const { data, error, isError, dataUpdatedAt } = query;
  if (data !== undefined) {
    return (
      <>
        {isError ? (
          <InfoLine icon="alert">{words.oldData(format.dateTime(new Date(dataUpdatedAt)))}</InfoLine>
        ) : null}
        {children(data)}
      </>
    );
  }
  if (isError) return <ErrorNotice error={error} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={lines} />;
}

/** Placeholder of loading content, visible after 200 ms. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const words = useWords();
  return (
    <div className={styles.lines} aria-busy="true">
      <span className="visually-hidden">{words.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={styles.line} />
      ))}
    </div>
  );
}
