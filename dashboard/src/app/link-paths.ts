import type { SmartlinkType } from '@smartlink/client';

// Paths of the screens of links.

export const LINKS = '/dashboard/links';
export const OVERVIEW = '/dashboard/overview';
export const NEW_LINK = '/dashboard/links/new';

/** Path of the form that duplicates a link. */
export const copyPath = (type: SmartlinkType, id: string): string =>
  `${NEW_LINK}?${new URLSearchParams({ type, from: id }).toString()}`;

export const linkPath = (id: string): string => `${LINKS}/${encodeURIComponent(id)}`;
export const editPath = (id: string): string => `${linkPath(id)}/edit`;
export const qrPath = (id: string): string => `${linkPath(id)}/qr`;

/** Target of sign-in and of `/dashboard/`. */
export const HOME = LINKS;
