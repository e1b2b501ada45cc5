import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Icon } from '../../parts/icon.js';
import { InfoLine, LookOnlyNotice } from '../../parts/notice.js';
import { api, endSession, sessionQuery, startSession } from '../api.js';
import { HOME } from '../link-paths.js';
import { isAllowed, useNavigation } from '../navigation.js';
import { Page } from '../page.js';
import { useSession } from '../session.js';
import { Shortcuts } from '../shortcuts.js';
import { useWords } from '../words.js';
import { Mark } from './mark.js';
import styles from './shell.module.css';

/** The frame of the screens for signed-in people. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  const isOver = session === null;
  useEffect(() => {
    if (!isOver) return;
    // The session ended while the page was open.
    const next = router.latestLocation.href;
    void router.navigate({ to: '/dashboard/sign-in', search: { next }, replace: true });
  }, [isOver, router]);
  if (session === undefined || session === null) return null;
  return (
    <Frame>
      <Screen />
    </Frame>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {words.skip}
      </a>
      <header className={styles.rail}>
        <Link
          to="/dashboard/$"
          params={{ _splat: '' }}
          activeOptions={{ exact: true }}
          className={styles.brand}
        >
          <Mark />
          {words.product}
        </Link>
        <Account />
        <nav className={styles.nav} aria-label={words.mainNavigation}>
          <MainMenu />
        </nav>
        <Person />
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Offline />
        {children}
      </main>
      <Shortcuts />
    </div>
  );
}

function MainMenu() {
  const words = useWords();
  return (
    <ul>
      {useNavigation('main').map(({ to, label, icon }) => (
        <li key={to}>
          <Link to={to} className={styles.navLink}>
            {icon === undefined ? null : <Icon name={icon} />}
            {words.nav[label]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The screen, or the role that it needs. */
function Screen() {
  const words = useWords();
  const session = useSession();
  const matches = useMatches();
  const refused = matches.find(({ staticData }) => !isAllowed(session, staticData.needs));
  const needs = refused?.staticData.needs;
  if (needs === undefined) return <Outlet />;
  return (
    <Page title={words.lookOnly}>
      <LookOnlyNotice role={words.roles[needs]} />
    </Page>
  );
}

function Account() {
  const words = useWords();
  const router = useRouter();
  const { account, accounts } = useSession();
  if (accounts.length < 2) {
    return <p className={`${styles.account} ${styles.accountName}`}>{account?.name ?? words.noAccount}</p>;
  }
  const change = async (accountId: string) => {
    const { data } = await api.session.useAccount(accountId);
    // The open screen belongs to the previous account.
    await router.navigate({ href: HOME });
    startSession(data);
  };
  return (
    <div className={styles.account}>
      <select
        className={styles.accountSelect}
        aria-label={words.account}
        value={account?.id ?? ''}
        onChange={(event) => void change(event.target.value)}
      >
        {account === null ? <option value="">{words.noAccount}</option> : null}
        {accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Person() {
  const words = useWords();
  const { person } = useSession();
  const signOut = async () => {
    await api.session.signOut();
    endSession();
  };
  return (
    <div className={styles.person}>
      <p className={styles.email}>{person.email}</p>
      <a className={`${styles.navLink} ${styles.small} ${styles.referenceLink}`} href="/docs/">
        <Icon name="book" size={18} />
        {words.reference}
      </a>
      <button type="button" className={`${styles.navLink} ${styles.small}`} onClick={() => void signOut()}>
        <Icon name="signOut" size={18} />
        <span>{words.signOut}</span>
      </button>
    </div>
  );
}

function Offline() {
  const words = useWords();
  const isOnline = useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed);
      addEventListener('offline', changed);
      return () => {
        removeEventListener('online', changed);
        removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
  if (isOnline) return null;
  return (
    <div className={styles.offline}>
      <InfoLine icon="alert">{words.offline}</InfoLine>
    </div>
  );
}
