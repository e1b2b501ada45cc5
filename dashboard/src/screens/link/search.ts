import { choiceParam } from '../../app/search-params.js';
import { type FiguresQuery, figuresQuery } from '../figures/query.js';

export const TABS = ['figures', 'leads', 'changes'] as const;
export type LinkTab = (typeof TABS)[number];

type LinkSearch = FiguresQuery & { readonly tab?: LinkTab | undefined };

export const linkSearch = (search: Record<string, unknown>): LinkSearch => ({
  tab: choiceParam(search.tab, TABS),
  ...figuresQuery(search),
});
