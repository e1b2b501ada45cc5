/** Where sign-in leads, and `/dashboard/`. */
export const HOME = '/dashboard/links';
