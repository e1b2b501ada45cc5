import { Link, Outlet } from '@tanstack/react-router';
import { useNavigation } from '../../app/navigation.js';
import { useWords } from '../../app/words.js';
import styles from './settings-layout.module.css';

/** The menu of the settings above the one that is open. */
export function SettingsLayout() {
  const words = useWords();
  return (
    <div className={styles.layout}>
      <nav className={styles.menu} aria-label={words.settingsNavigation}>
        <ul>
          {useNavigation('settings').map(({ to, label }) => (
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
