import type { CSSProperties } from 'react';
import type { SmartlinkType } from '@smartlink/client';
import { colorTokens } from '@smartlink/pages/theme';
import { Icon, type IconName } from './icon.js';
import styles from './ink.module.css';

/** A tile in the link's colour with the icon of its type. */
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

const inks = new Map<string, string>();

/** A link's colour as CSS for light and dark, with a contrast of 3:1. Default: text colour. */
export function inkOf(themeColor: string | undefined): string {
  const key = themeColor ?? '';
  const known = inks.get(key);
  if (known !== undefined) return known;
  const { edge: light } = colorTokens(themeColor, 'light');
  const { edge: dark } = colorTokens(themeColor, 'dark');
  const ink = `light-dark(${light}, ${dark})`;
  inks.set(key, ink);
  return ink;
}

export const TYPE_ICONS = {
  Url: 'links',
  App: 'app',
  Landing: 'page',
  QRTag: 'qr',
  DigiCard: 'card',
  TxtBin: 'text',
  QrMenu: 'menu',
} as const satisfies Record<SmartlinkType, IconName>;

/** In menu order. */
export const TYPES = Object.keys(TYPE_ICONS) as readonly SmartlinkType[];
