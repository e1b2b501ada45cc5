import { until } from '@smartlink/test-support/until';
import type { Caller, TestService } from './start-service.js';

export const uploadTo = (person: Caller, file: string) =>
  person.call('POST', '/imports', file, { 'content-type': 'text/csv' });

/** Imports a file, and returns the id of the import once it is done. */
export async function importFile(person: Caller, file: string): Promise<string> {
  const id = String((await uploadTo(person, file)).body.data.id);
  await person.post('/imports/start', { id });
  const isDone = async () => (await person.get(`/imports?id=${id}`)).body.data.state === 'done';
  await until(isDone, 'the import is done');
  return id;
}

type Tools = {
  readonly service: TestService;
  readonly api: () => Caller;
  readonly owner: () => Caller;
  readonly signInAsOwner: (userId: string) => Promise<Caller>;
};

/** What brings about the failures of imports and exports, by the names of their examples. */
export const importFailures = ({ service, api, owner, signInAsOwner }: Tools) => ({
  createImport: {
    noLinks: () => owner().call('POST', '/imports', '<!doctype html>', { 'content-type': 'text/csv' }),
    bytes: () =>
      owner().call('POST', '/imports', undefined, {
        'content-type': 'text/csv',
        'content-length': String(200 * 1024 * 1024 + 1),
      }),
    type: () => owner().call('POST', '/imports', 'x', { 'content-type': 'text/plain' }),
  },
  startImport: {
    running: async () => {
      const { userId } = await service.createUser();
      const by = await signInAsOwner(userId);
      const file = 'url\nhttps://example.org/\n';
      const { body } = await by.call('POST', '/imports', file, { 'content-type': 'text/csv' });
      await service.app.pg.query(
        `insert into imports (id, user_id, format, state, run_due_at, run_started_at)
         select gen_random_uuid(), $1, 'csv', 'running', 'infinity', now() from generate_series(1, 5)`,
        [userId],
      );
      return by.post('/imports/start', { id: body.data.id as string });
    },
  },
  exportSmartlinks: {
    format: () => api().get('/export?format=xml'),
  },
});
