import type { AppContent, OpenGraph, PageContent } from '@smartlink/smartlink/snapshot';

/** What pages know of a link: nothing of its owner, no password, and of a protected link no target. */
export type PageSource = {
  /** As its owner typed it. */
  readonly slug: string;
  readonly openGraph?: OpenGraph;
} & (
  | { readonly type: 'Url'; readonly isProtected: false; readonly url: string }
  | { readonly type: 'Url'; readonly isProtected: true }
  | FromJson<AppContent>
  | FromJson<PageContent>
);

/**
 * The pages there are of a link:
 * - `own`: its page, or an App link's list of stores
 * - `ipad-or-mac`, `ipad-or-mac-scan`: tells the two apart, for a visit by click and by scan
 * - `password`: the form
 * - `share`: what a preview agent gets where people are redirected
 * - `preview`: where it leads, for people, without going there
 */
export const PAGE_VIEWS = ['own', 'ipad-or-mac', 'ipad-or-mac-scan', 'password', 'share', 'preview'] as const;
export type PageView = (typeof PAGE_VIEWS)[number];

/** The source of a page of one type. */
export type PageSourceOf<Type extends PageSource['type']> = Extract<PageSource, { type: Type }>;

/** `T` as JSON brings it: what may be undefined may be absent. */
export type FromJson<T> = T extends readonly (infer Item)[]
  ? readonly FromJson<Item>[]
  : T extends object
    ? { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: FromJson<T[Key]> } & {
        readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: FromJson<T[Key]>;
      }
    : T;
