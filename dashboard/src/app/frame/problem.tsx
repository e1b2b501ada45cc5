import type { ErrorComponentProps } from '@tanstack/react-router';
import { ButtonLink } from '../../parts/button.js';
import { ErrorNotice, EmptyNotice } from '../../parts/notice.js';
import { Page } from '../page.js';
import { useWords } from '../words.js';

/** Replaces a screen that failed to load or render. */
export function Problem({ error, reset }: ErrorComponentProps) {
  const words = useWords();
  return (
    <Page title={words.broken}>
      <ErrorNotice error={error} onRetry={reset} />
    </Page>
  );
}

export function NotFound() {
  const words = useWords().notFound;
  return (
    <Page title={words.heading}>
      <EmptyNotice
        heading={words.text}
        action={
          <ButtonLink to="/dashboard/$" params={{ _splat: '' }}>
            {words.home}
          </ButtonLink>
        }
      />
    </Page>
  );
}
