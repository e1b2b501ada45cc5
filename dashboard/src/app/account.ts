import type { Account } from '@smartlink/client';
import { api } from './api.js';

/** The account in use, with its plan and its use. */
export const accountQuery = {
  queryKey: ['account'],
  queryFn: async (): Promise<Account> => (await api.account.get()).data,
} as const;
