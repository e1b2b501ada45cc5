import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Admin, useAdmin } from './run-admin.js';
import { openVisits, type Visits } from './visited.js';

export type VisitsFrame = { readonly admin: Admin; readonly visits: Visits };

/** Gives a test file the command on databases of its own, and each of its tests tables of visits that are empty. */
export function frameWithVisits(): VisitsFrame {
  const admin = useAdmin();
  let visits: Visits;
  beforeAll(() => {
    visits = openVisits(admin);
  });
  afterAll(() => visits.close());
  beforeEach(() => visits.clear());
  return {
    admin,
    get visits() {
      return visits;
    },
  };
}
