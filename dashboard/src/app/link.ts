import type { Smartlink } from '@smartlink/client';
import { api } from './api.js';

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
