import type { CSSProperties } from 'react';
import type { SmartlinkType } from '@smartlink/client';
import { Icon } from './icon.js';
import styles from './ink-mark.module.css';
import { inkOf, TYPE_ICONS } from './ink.js';

/** A link's tile in its owner's colour, with the picture of its type. */
export function InkMark({
  type,
  themeColor,
}: {
  readonly type: SmartlinkType;
  readonly themeColor?: string | undefined;
}) {
  const ink = { '--ink': inkOf(themeColor) } as CSSProperties;
  return (
    <span className={styles.mark} style={ink}>
      <Icon name={TYPE_ICONS[type]} size={18} />
    </span>
  );
}
