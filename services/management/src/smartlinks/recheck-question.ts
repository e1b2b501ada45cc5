import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import type { SafetyVerdict } from '../url-safety/url-safety.js';

/** A smartlink whose URLs are to be judged. */
export type Due = { readonly id: string; readonly version: string; readonly urls: readonly DocumentUrl[] };

export type Asking = {
  /** Asks about URLs; never rejects. */
  readonly ask: (urls: readonly DocumentUrl[]) => Promise<SafetyVerdict>;
  /** Whether there is time for another question. */
  readonly mayGoOn: () => boolean;
};

/** What was said of a group of smartlinks. */
export type GroupVerdict = {
  readonly unsafeUrls: ReadonlySet<string>;
  /** Ids of those of which all URLs were judged. */
  readonly checkedIds: ReadonlySet<string>;
  readonly isProviderDown: boolean;
};

// Most URLs asked about at once. Few enough that what one of them holds up is little, and that the verdict on the
// first is not old when that on the last comes.
const URLS_PER_QUESTION_MAX = 100;
// Of questions about one smartlink each: what hangs on one costs the others little.
const CONCURRENCY = 8;

/** Returns smartlinks in groups that are asked about together; one with many URLs is alone. */
export function cutIntoGroups(taken: readonly Due[]): readonly (readonly Due[])[] {
  const groups: Due[][] = [];
  let room = 0;
  for (const due of taken) {
    if (due.urls.length > room || groups.length === 0) {
      groups.push([]);
      room = URLS_PER_QUESTION_MAX;
    }
    groups.at(-1)?.push(due);
    room -= due.urls.length;
  }
  return groups;
}

/**
 * Asks about the URLs of a group in one question. When it fails and the provider is not down, each smartlink is asked
 * about once more by itself: a URL that the provider cannot judge then holds up nobody but its owner.
 */
export async function askAboutGroup(asking: Asking, group: readonly Due[]): Promise<GroupVerdict> {
  const together = await askAbout(asking, group);
  const unsafeUrls = new Set(together.unsafeUrls);
  const checkedIds = new Set(
    group.filter(({ urls }) => together.isChecked || urls.length === 0).map(({ id }) => id),
  );
  let { isProviderDown } = together;
  const rest = group.filter(({ id }) => !checkedIds.has(id));
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let due = rest[next++]; due !== undefined; due = rest[next++]) {
      if (isProviderDown || !asking.mayGoOn()) return;
      const alone = await askAbout(asking, [due]);
      for (const url of alone.unsafeUrls) unsafeUrls.add(url);
      if (alone.isChecked) checkedIds.add(due.id);
      isProviderDown ||= alone.isProviderDown;
    }
  };
  // One that was alone has had its answer.
  if (rest.length > 1) await Promise.all(Array.from({ length: CONCURRENCY }, askOn));
  return { unsafeUrls, checkedIds, isProviderDown };
}

async function askAbout(
  { ask, mayGoOn }: Asking,
  group: readonly Due[],
): Promise<{ unsafeUrls: ReadonlySet<string>; isChecked: boolean; isProviderDown: boolean }> {
  // Each once: a thousand links may lead to one place.
  const urls = [...new Map(group.flatMap((due) => due.urls.map((one) => [one.url, one] as const))).values()];
  const unsafeUrls = new Set<string>();
  for (let start = 0; start < urls.length; start += URLS_PER_QUESTION_MAX) {
    if (!mayGoOn()) return { unsafeUrls, isChecked: false, isProviderDown: false };
    const verdict = await ask(urls.slice(start, start + URLS_PER_QUESTION_MAX));
    for (const { url } of verdict.unsafe) unsafeUrls.add(url);
    if (!verdict.isChecked) {
      return { unsafeUrls, isChecked: false, isProviderDown: verdict.isProviderDown === true };
    }
  }
  return { unsafeUrls, isChecked: true, isProviderDown: false };
}
