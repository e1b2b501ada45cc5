import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { hashPassword } from '@smartlink/smartlink/credentials';
import {
  openBrowser,
  openContext,
  openPage,
  type WatchedPage,
} from '@smartlink/test-support/browser/open-browser';
import { runAxe } from '@smartlink/test-support/browser/page-checks';
import { type DnsServer, startDnsServer } from '@smartlink/test-support/dns-server';
import type {} from '@smartlink/test-support/find-chromium';
import type { Role } from '../../services/management/src/accounts/roles.js';
import { listen } from '../../services/management/test/call-raw.js';
import {
  type Caller,
  caller,
  createPerson,
  signIn,
  startService,
  type TestService,
  type TestUser,
} from '../../services/management/test/start-service.js';

export const PASSWORD = 'correct horse battery';

/** An account with one signed-in person, and an API caller with its key. */
export type TestAccount = TestUser & {
  readonly personId: string;
  /** E-mail of the person; the password is PASSWORD. */
  readonly personEmail: string;
  readonly api: Caller;
};

export type OpenOptions = {
  /** Default: Owner. */
  readonly role?: Role;
  /** Default: Enterprise. */
  readonly plan?: string;
  readonly isOperator?: boolean;
  /** An account of `createAccount`; default: a new one per page. Null: not signed in. */
  readonly account?: TestAccount | null;
  /** Default: 1440 × 900. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  /** Addresses whose error responses are expected; the browser logs each to its console. */
  readonly refused?: RegExp;
  /** Origin of another service on the same databases. */
  readonly origin?: string;
  /** Further origin of pictures. */
  readonly publicBase?: string;
};

export type OpenedPage = {
  readonly page: Page;
  readonly account: TestAccount;
  readonly context: BrowserContext;
};

export type Dashboard = {
  /** Null without Chromium; no service runs then. */
  readonly chromium: string | null;
  readonly service: TestService;
  readonly origin: string;
  /** The name server of custom domains. */
  readonly dns: DnsServer;
  readonly createAccount: (options?: OpenOptions) => Promise<TestAccount>;
  /** The cookie of a new session. */
  readonly sessionCookie: (account: TestAccount) => Promise<{ readonly value: string }>;
  /** Opens a path in a new window. After the test its console, policy violations, requests and axe findings are checked. */
  readonly open: (path: string, options?: OpenOptions) => Promise<OpenedPage>;
};

/** Starts management with the built dashboard and one browser, for the tests of a file. */
export function useDashboard(): Dashboard {
  const chromium = inject('chromium');
  let service: TestService | undefined;
  let browser: Browser | undefined;
  let dns: DnsServer | undefined;
  let origin = '';
  const opened: (WatchedPage & { readonly context: BrowserContext; readonly refused: RegExp | undefined })[] =
    [];
  const passwordHash = hashPassword(PASSWORD);

  beforeAll(async () => {
    if (chromium === null) return;
    dns = await startDnsServer();
    // Webhook receivers run on this machine.
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DOMAIN_DNS_SERVERS: dns.address };
    service = await startService({ env });
    origin = `http://127.0.0.1:${await listen(service.app)}`;
    browser = await openBrowser(chromium);
  });
  afterEach(async () => {
    for (const { page, context, takeFaults, refused } of opened.splice(0)) {
      const faults = takeFaults().filter((fault) => !(isRefusal(fault) && refused?.test(fault) === true));
      const findings = page.isClosed() ? [] : await runAxe(page);
      await context.close();
      expect([...faults, ...findings.map(({ line }) => line)]).toEqual([]);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await dns?.close();
  });

  const started = (): { readonly service: TestService; readonly dns: DnsServer } => {
    if (service === undefined || dns === undefined) throw new Error('The service is started in beforeAll');
    return { service, dns };
  };

  async function createAccount({
    role = 'Owner',
    plan = 'Enterprise',
    isOperator = false,
  }: OpenOptions = {}): Promise<TestAccount> {
    const { app, createUser } = started().service;
    const user = await createUser(plan);
    const person = await createPerson(app, { roles: { [user.userId]: role }, isOperator });
    const values = [person.personId, await passwordHash];
    await app.pg.query('update people set password_hash = $2 where id = $1', values);
    return {
      ...user,
      personId: person.personId,
      personEmail: person.email,
      api: caller(app, user.apiKey),
    };
  }

  return {
    chromium,
    get service() {
      return started().service;
    },
    get dns() {
      return started().dns;
    },
    get origin() {
      return origin;
    },
    createAccount,
    sessionCookie: (account) => sessionCookie(started().service, account, origin),
    async open(path, options = {}) {
      const { width = 1440, colorScheme = 'light', locale = 'en-GB', refused, origin: at = origin } = options;
      const origins = options.publicBase === undefined ? [at] : [at, options.publicBase];
      if (browser === undefined) throw new Error('The browser is started in beforeAll');
      const account = options.account ?? (await createAccount(options));
      const context = await openContext(browser, origins, {
        viewport: { width, height: 900 },
        colorScheme,
        locale,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      if (options.account !== null)
        await context.addCookies([await sessionCookie(started().service, account, at)]);
      const watched = await openPage(context, origins);
      opened.push({ ...watched, context, refused });
      await watched.page.goto(`${at}${path}`);
      return { page: watched.page, account, context };
    },
  };
}

// The policy of the page refuses what a link pressed in a preview would open.
const isRefusal = (fault: string): boolean =>
  /^console: (Failed to load resource|Framing '|CSP: frame-src )/.test(fault);

async function sessionCookie(
  { app }: TestService,
  { personId, userId }: Pick<TestAccount, 'personId' | 'userId'>,
  url: string,
) {
  const { token } = await signIn(app, { personId }, userId, 'Chrome on Linux');
  return { name: 'smartlink_session', value: token, url, httpOnly: true, sameSite: 'Strict' as const };
}
