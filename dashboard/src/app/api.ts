import { QueryClient } from '@tanstack/react-query';
import {
  createSmartlinkClient,
  isSmartlinkError,
  type Session,
  type SmartlinkApiError,
} from '@smartlink/client';

export const SESSION_KEY = ['session'] as const;

// A person is waiting: one retry, short deadline.
const RETRIES = 1;
const DEADLINE_MS = 20_000;
const FRESH_MS = 5_000;

/** Server state of the page. The client already retries. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may run on this machine, reachable without a network.
    queries: { retry: false, networkMode: 'always', staleTime: FRESH_MS },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** The API, with the session of this browser. */
export const api = createSmartlinkClient({
  baseUrl: location.origin,
  session: true,
  retries: RETRIES,
  deadlineMs: DEADLINE_MS,
  onSignedOut: endSession,
});

export const sessionQuery = {
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<Session | null> => (await api.session.get()).data,
  staleTime: Infinity,
} as const;

const readInSession = {
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[0] !== SESSION_KEY[0],
};

/** Starts a session after sign-in, and drops what the previous one had read. */
export function startSession(session: Session): void {
  queryClient.setQueryData(SESSION_KEY, session);
  void queryClient.resetQueries(readInSession);
}

/** Drops the session and everything read in it; the shell then redirects to sign-in. */
export function endSession(): void {
  queryClient.setQueryData(SESSION_KEY, null);
  queryClient.removeQueries(readInSession);
}

/** Rethrows the error of a call, after reading the session again if it may have ended. */
export function checkSession(err: unknown): never {
  if (hasCode(err, 'UNAUTHORIZED')) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
  throw err;
}

/** The error if the API answered with it, otherwise null. */
export function apiError(err: unknown): SmartlinkApiError | null {
  return isSmartlinkError(err) && err.kind === 'api' ? err : null;
}

export function hasCode(err: unknown, code: SmartlinkApiError['code']): boolean {
  return apiError(err)?.code === code;
}
