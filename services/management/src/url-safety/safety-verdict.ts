import type { DocumentUrl } from '@smartlink/smartlink/url-members';

/** What is said of some URLs. */
export type SafetyVerdict = {
  readonly unsafe: readonly DocumentUrl[];
  /** False when somebody has yet to judge them, all or some: they are judged later. */
  readonly isChecked: boolean;
};

/** Says which of some URLs are unsafe. */
export type UrlSafety = {
  /**
   * Rejects with SERVICE_UNAVAILABLE when the provider cannot be asked and the operator wants that to be a refusal.
   * `limitMs` stands in for the time that a client may be kept waiting, where nobody waits.
   */
  readonly check: (
    urls: readonly DocumentUrl[],
    options?: { readonly limitMs?: number },
  ) => Promise<SafetyVerdict>;
};
