import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from '../parts/notice.js';
import { Page } from './page.js';
import { useWords } from './words.js';

/** In place of a screen that could not be loaded or drawn. */
export function Problem({ error, reset }: ErrorComponentProps) {
  const words = useWords();
  return (
    <Page title={words.broken}>
      <ErrorNotice error={error} onRetry={reset} />
    </Page>
  );
}
