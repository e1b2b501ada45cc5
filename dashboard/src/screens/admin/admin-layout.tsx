import { MenuLayout } from '../../app/menu-layout.js';
import { useWords } from '../../app/words.js';

export function AdminLayout() {
  return <MenuLayout menu="admin" label={useWords().nav.admin} />;
}
