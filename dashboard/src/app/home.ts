import { LINKS } from './link-paths.js';

/** Where sign-in leads, and `/dashboard/`. */
export const HOME = LINKS;
