import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/tokens.css';
import './app/base.css';
import { queryClient } from './app/api.js';
import { preferredLanguage, PreferencesProvider } from './app/preferences.js';
import { router } from './app/router.js';
import { ConfirmIdentityProvider } from './parts/dialogs/confirm-identity.js';
import { StatusProvider } from './parts/status.js';
import { loadWords } from './words/words.js';

void start();

async function start(): Promise<void> {
  await loadWords(preferredLanguage(), ['app', 'parts']);
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <PreferencesProvider>
          <CSPProvider disableStyleElements>
            <StatusProvider>
              <ConfirmIdentityProvider>
                <RouterProvider router={router} />
              </ConfirmIdentityProvider>
            </StatusProvider>
          </CSPProvider>
        </PreferencesProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
