import { MenuLayout } from '../../app/menu-layout.js';
import { useWords } from '../../app/words.js';

export function SettingsLayout() {
  return <MenuLayout menu="settings" label={useWords().settingsNavigation} />;
}
