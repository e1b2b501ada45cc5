import { Link, Outlet } from '@tanstack/react-router';
import styles from './menu-layout.module.css';
import { type NavigationEntry, useNavigation } from './navigation.js';
import { useWords } from './words.js';

/** A menu above the screen of it that is open. */
export function MenuLayout({
  menu,
  label,
}: {
  readonly menu: NavigationEntry['menu'];
  /** Of the navigation. */
  readonly label: string;
}) {
  const words = useWords();
  return (
    <div className={styles.layout}>
      <nav className={styles.menu} aria-label={label}>
        <ul>
          {useNavigation(menu).map(({ to, label: entry }) => (
            <li key={to}>
              <Link to={to} className={styles.link}>
                {words.nav[entry]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}
