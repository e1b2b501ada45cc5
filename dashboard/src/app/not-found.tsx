import { ButtonLink } from '../parts/button.js';
import { EmptyNotice } from '../parts/notice.js';
import { Page } from './page.js';
import { useWords } from './words.js';

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
