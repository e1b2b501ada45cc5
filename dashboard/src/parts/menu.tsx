import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useState } from 'react';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';
import styles from './menu.module.css';

export type MenuItem = {
  readonly label: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
  readonly isDisabled?: boolean;
};

/** A button with three dots and its menu. `label` names the button. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={<Button look="quiet" isIcon aria-label={label} />}>
        <Icon name="more" />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} align="end" sideOffset={4}>
          <Items items={items} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** An open menu at `anchor`, for tables that load it on first use. */
export function MenuAt({
  anchor,
  label,
  items,
  onClose,
}: {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}) {
  const [isOpen, setOpen] = useState(true);
  return (
    <BaseMenu.Root
      open={isOpen}
      modal={false}
      onOpenChange={setOpen}
      onOpenChangeComplete={(open) => {
        // Only now is the focus back on the button.
        if (!open) onClose();
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} anchor={anchor} align="end" sideOffset={4}>
          <Items label={label} items={items} finalFocus={() => anchor} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function Items({
  label,
  items,
  finalFocus,
}: {
  readonly label?: string;
  readonly items: readonly MenuItem[];
  readonly finalFocus?: () => HTMLElement;
}) {
  return (
    <BaseMenu.Popup
      className={styles.popup}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(finalFocus === undefined ? {} : { finalFocus })}
    >
      {items.map(({ label: text, icon, onSelect, isDisabled = false }) => (
        <BaseMenu.Item key={text} className={styles.item} onClick={onSelect} disabled={isDisabled}>
          {icon === undefined ? null : <Icon name={icon} size={18} />}
          {text}
        </BaseMenu.Item>
      ))}
    </BaseMenu.Popup>
  );
}
