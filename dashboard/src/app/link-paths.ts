import type { SmartlinkType } from '@smartlink/client';

// Addresses of the screens of links.

export const LINKS = '/dashboard/links';
export const OVERVIEW = '/dashboard/overview';
export const NEW_LINK = '/dashboard/links/new';

/** The form of a new link with the content of another one. */
export const copyPath = (type: SmartlinkType, id: string): string =>
  `${NEW_LINK}?${new URLSearchParams({ type, from: id }).toString()}`;

export const linkPath = (id: string): string => `${LINKS}/${encodeURIComponent(id)}`;
export const editPath = (id: string): string => `${linkPath(id)}/edit`;
export const qrPath = (id: string): string => `${linkPath(id)}/qr`;

/** Where sign-in leads, and `/dashboard/`. */
export const HOME = LINKS;
