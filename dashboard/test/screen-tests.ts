import type { Dashboard, OpenOptions, TestAccount } from './use-dashboard.js';

/** A screen state, checked in all sizes, colour schemes and languages. */
export type ScreenState = {
  readonly path: string | ((account: TestAccount) => string);
  /** Its heading in English. */
  readonly heading: string;
  readonly options?: OpenOptions;
  /** Creates what the screen shows. */
  readonly prepare?: (account: TestAccount) => Promise<unknown>;
};

/** A file of `screens/`: the states and tests of a screen. `npm test` opens the first state of each heading. */
export type ScreenTests = {
  readonly states?: readonly ScreenState[];
  /** Register tests; `full` ones run in `npm run verify:full` only. */
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
