import { queryOptions } from '@tanstack/react-query';
import type { CheckedImport, Import } from '@smartlink/client';
import { api, hasCode, queryClient } from '../../app/api.js';

const POLL_MS = 1_000;

export type Problem = CheckedImport['problems'][number];

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: async ({ signal }): Promise<readonly Import[]> => (await api.imports.list({ signal })).data,
});

/** An import, polled every second while it runs; null if unknown. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: async ({ signal }): Promise<Import | null> => {
      try {
        return (await api.imports.get(id, { signal })).data;
      } catch (err) {
        if (hasCode(err, 'NOT_FOUND')) return null;
        throw err;
      }
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
    // Also in hidden windows.
    refetchIntervalInBackground: true,
  });

/** Refused rows of a checked file; only the upload's response has them. */
export const problemsKey = (id: string) => ['importProblems', id] as const;

export const reportAddress = (id: string): string => `/api/v1/imports/report?id=${encodeURIComponent(id)}`;

export function keepChecked({ id, problems }: CheckedImport): void {
  queryClient.setQueryData(problemsKey(id), problems);
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
}
