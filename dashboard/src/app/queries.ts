import type { Account, Domain, Folder, Smartlink, Tag, UtmTemplate } from '@smartlink/client';
import { api } from './api.js';

// An account has at most 1,000 tags, 500 folders, 500 UTM templates and 100 domains, which fields list in full.

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

export const domainsQuery = {
  queryKey: ['domains'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Domain[]> =>
    all(api.domains.listAll({}, { signal })),
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

export const linkQuery = (id: string) =>
  ({
    queryKey: ['link', id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Smartlink> =>
      (await api.smartlinks.get(id, { signal })).data,
  }) as const;

export function themeColorOf(link: Smartlink): string | undefined {
  switch (link.type) {
    case 'Landing':
      return link.landing.themeColor ?? undefined;
    case 'QRTag':
      return link.qrTag.themeColor ?? undefined;
    case 'DigiCard':
      return link.digiCard.themeColor ?? undefined;
    case 'QrMenu':
      return link.qrMenu.themeColor ?? undefined;
    default:
      return undefined;
  }
}
