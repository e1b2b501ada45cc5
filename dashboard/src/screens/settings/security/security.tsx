import { Page } from '../../../app/page.js';
import { PasswordSection } from './password-section.js';
import { SessionsSection } from './sessions-section.js';
import { useWords } from './words.js';

export function Security() {
  const words = useWords();
  return (
    <Page title={words.heading}>
      <PasswordSection />
      <SessionsSection />
    </Page>
  );
}
