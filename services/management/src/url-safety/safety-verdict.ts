import type { DocumentUrl } from '@smartlink/smartlink/url-members';

/** What is said of some URLs. */
export type SafetyVerdict = {
  readonly unsafe: readonly DocumentUrl[];
  /** False when somebody has yet to judge them, all or some: they are judged later. */
  readonly isChecked: boolean;
  /** The provider is known to be down, so that asking about other URLs is of no use now. */
  readonly isProviderDown?: boolean;
};

export type CheckOptions = {
  /** Stands in for the time that a client may be kept waiting, where nobody waits. In ms. */
  readonly limitMs?: number;
  /** False for who asks again later: what cannot be judged is never a refusal, whatever the operator wants of creates. */
  readonly failClosed?: boolean;
};

/** Says which of some URLs are unsafe. */
export type UrlSafety = {
  /**
   * Rejects with SERVICE_UNAVAILABLE when the provider cannot be asked and the operator wants that to be a refusal.
   */
  readonly check: (urls: readonly DocumentUrl[], options?: CheckOptions) => Promise<SafetyVerdict>;
};
