import { Link, Outlet } from '@tanstack/react-router';
import { useNavigation } from '../navigation.js';
import { useWords } from '../words.js';
import styles from './menu-layout.module.css';

/** A menu above its open screen. */
function MenuLayout({ menu }: { readonly menu: 'settings' | 'admin' }) {
  const words = useWords();
  return (
    <div className={styles.layout}>
      <nav className={styles.menu} aria-label={words.nav[menu]}>
        <ul>
          {useNavigation(menu).map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={styles.link}>
                {words.nav[label]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}

export const SettingsLayout = () => <MenuLayout menu="settings" />;
export const AdminLayout = () => <MenuLayout menu="admin" />;
