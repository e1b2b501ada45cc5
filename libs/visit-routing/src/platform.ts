// Longer ones are cut: real ones end below 400 characters, and the patterns then have a bound to their work.
export const USER_AGENT_LENGTH_MAX = 512;

/** The platforms that have a store of their own; `other` is everything else. */
export const PLATFORMS = ['fire', 'huawei', 'android', 'ipad', 'iphone', 'mac', 'windows', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * Returns the platform that a User-Agent names, by the tokens of decisions.md (App routing). An iPad that says it is a
 * Macintosh, as they do out of the box, cannot be told from one here and is a Mac: only a page's script can count its
 * touch points, and there is no such page yet.
 */
export function readPlatform(userAgent: string): Platform {
  const text = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

// In this order: Fire and Huawei devices also say Android, iPads of old say iPhone OS, all of Apple's say Mac OS X, and
// who poses as others comes first.
const PATTERNS: readonly (readonly [Platform, RegExp])[] = [
  // Lumias say Android and iPhone besides; their store is Microsoft's.
  ['windows', /Windows Phone/],
  // Systems that say Android for compatibility and run none of its apps; the PlayStation's browser was a Silk too.
  ['other', /KAIOS|Tizen|Sailfish|like Android|PlayStation/],
  // Silk may hide the device behind a desktop's name. Models begin with KF (tablets) and AFT (televisions).
  ['fire', /\bSilk[/-]|Kindle Fire|;\s?(?:KF[A-Z]{2,6}|AFT[A-Z\d]{1,10})(?: Build|\))/],
  ['huawei', /HMSCore|HuaweiBrowser|HarmonyOS|OpenHarmony/],
  // UC Browser writes Adr and iPh; an Outlook for iPhones names itself after both.
  ['android', /(?<!-)Android|\bAdr \d/i],
  // Browsers that exist on iPhones and iPads alone, asked for the desktop's page, which is what iPads ask for.
  ['ipad', /\biPad|Macintosh.*\b(?:CriOS|FxiOS|EdgiOS)\//],
  ['iphone', /\biPhone|\biPod|\biP[hd] OS/],
  // Apple's televisions are `like Mac OS X`.
  ['mac', /\bMacintosh|(?<!like )Mac OS X/],
  ['windows', /\bWindows/],
];
