import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openAdmin } from './run-admin.js';
import type { Admin } from './run-admin.js';
import { openVisits } from './visited.js';
import type { Visits } from './visited.js';

export type VisitsFrame = { readonly admin: Admin; readonly visits: Visits };

/** Gives a test file the command on databases of its own, and each of its tests tables of visits that are empty. */
export function frameWithVisits(): VisitsFrame {
  let admin: Admin;
  let visits: Visits;
  beforeAll(async () => {
    admin = await openAdmin();
    visits = openVisits(admin);
  });
  afterAll(async () => {
    await visits.close();
    await admin.close();
  });
  beforeEach(() => visits.clear());
  return {
    get admin() {
      return admin;
    },
    get visits() {
      return visits;
    },
  };
}
