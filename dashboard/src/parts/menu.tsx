import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';
import styles from './menu.module.css';

export type MenuItem = {
  readonly label: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
  readonly isDisabled?: boolean;
};

/** A button with three dots and the menu it opens. `label` names the button, as in `More actions for Docs`. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={<Button look="quiet" isIcon aria-label={label} />}>
        <Icon name="more" />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} align="end" sideOffset={4}>
          <BaseMenu.Popup className={styles.popup}>
            {items.map(({ label: text, icon, onSelect, isDisabled = false }) => (
              <BaseMenu.Item key={text} className={styles.item} onClick={onSelect} disabled={isDisabled}>
                {icon === undefined ? null : <Icon name={icon} size={18} />}
                {text}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
