import type { Dashboard, OpenOptions, TestAccount } from './use-dashboard.js';

/** A state of a screen that is looked at in all sizes, colours and languages. */
export type ScreenState = {
  readonly path: string | ((account: TestAccount) => string);
  /** Its heading in English. */
  readonly heading: string;
  readonly options?: OpenOptions;
  /** Puts into the account what the screen shows. */
  readonly prepare?: (account: TestAccount) => Promise<unknown>;
};

/** A file of `screens/`: tests of one screen, and its states, of which `npm test` opens the first of each heading. */
export type ScreenTests = {
  readonly states?: readonly ScreenState[];
  /** Registers tests; those of `full` run in `npm run verify:full` alone. */
  readonly tests?: (dashboard: Dashboard) => void;
  readonly full?: (dashboard: Dashboard) => void;
};

export const screenTests: Readonly<Record<string, ScreenTests>> = import.meta.glob<ScreenTests>(
  './screens/*.ts',
  {
    eager: true,
  },
);

/** Opens a state and waits for its heading. */
export async function openState(
  dashboard: Dashboard,
  { path, heading, options = {}, prepare }: ScreenState,
  more: OpenOptions = {},
) {
  const account = await dashboard.createAccount(options);
  await prepare?.(account);
  const target = typeof path === 'string' ? path : path(account);
  const isSignedIn = options.account !== null;
  const opened = await dashboard.open(target, { ...options, ...more, account: isSignedIn ? account : null });
  if (more.locale === undefined) {
    await opened.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  } else await opened.page.getByRole('heading', { level: 1 }).waitFor();
  await opened.page.waitForLoadState('networkidle');
  return opened;
}
