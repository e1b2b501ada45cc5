import type { Folder, Tag, UtmTemplate, Account } from '@smartlink/client';
import { api } from './api.js';

// An account has at most 1,000 tags, 500 folders and 500 UTM templates, which fields list in full.

export const tagsQuery = {
  queryKey: ['tags'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Tag[]> =>
    all(api.tags.listAll({}, { signal })),
} as const;

export const foldersQuery = {
  queryKey: ['folders'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Folder[]> =>
    all(api.folders.listAll({}, { signal })),
} as const;

export const utmTemplatesQuery = {
  queryKey: ['utmTemplates'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<readonly UtmTemplate[]> =>
    all(api.utmTemplates.listAll({}, { signal })),
} as const;

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The current account with its plan and usage. */
export const accountQuery = {
  queryKey: ['account'],
  queryFn: async (): Promise<Account> => (await api.account.get()).data,
} as const;
