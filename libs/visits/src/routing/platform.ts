// Longer ones are cut: real ones end below 400 characters, and the patterns then have a bound to their work.
export const USER_AGENT_LENGTH_MAX = 512;

/** The platforms that have a store of their own; `other` is everything else. */
export const PLATFORMS = ['fire', 'huawei', 'android', 'ipad', 'iphone', 'mac', 'windows', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * The platform that a User-Agent names. An iPad that says it is a
 * Macintosh, as they do out of the box, is a Mac here: mayBeIpad says when to doubt it.
 */
export function readPlatform(userAgent: string): Platform {
  const text = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

// In this order: Fire and Huawei devices also send Android, old iPads iPhone OS, and all Apple devices Mac OS X, so
// systems that imitate others come first. Only tokens, no versions or models, so that next year's devices match too.
const PATTERNS: readonly (readonly [Platform, RegExp])[] = [
  // Lumias also send Android and iPhone; their store is Microsoft's.
  ['windows', /Windows Phone/i],
  // Systems that send Android for compatibility without running its apps; the PlayStation's browser also sent Silk.
  ['other', /KAIOS|Tizen|Sailfish|like Android|PlayStation/],
  // Silk may hide the device behind a desktop's name. Models begin with KF (tablets) and AFT (televisions).
  ['fire', /\bSilk[/-]|Kindle Fire|;\s?(?:KF[A-Z]{2,6}|AFT[A-Z\d]{1,10})(?: Build|[;)])/],
  ['huawei', /HMSCore|HuaweiBrowser|HarmonyOS|OpenHarmony/],
  // An Outlook for iPhones names itself after both. Clients of UC and QQ write Adr and iPh, or the version alone;
  // Facebook's own requests name its app; Puffin says it is a Linux desktop, and behind its version where it runs.
  ['android', /(?<!iOS-)Android|\bAdr \d|\(Linux; U; \d+\.|\bFBAN\/FB4A|\bPuffin\/[\d.]+A[PT]\b/i],
  // Browsers that exist only on iPhones and iPads, requesting the desktop page, as iPads do.
  ['ipad', /\biPad|\bPuffin\/[\d.]+IT\b|\bMacintosh;.*\b(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|OPX|GSA|Mobile)\//],
  // An app that sends only iOS is mostly on an iPhone, and an iPad finds its app at the same address.
  ['iphone', /\biPhone|\biPod|\biP[hd] OS|[(;]\s?iOS\b|\bPuffin\/[\d.]+IP\b/i],
  // Apple's televisions are `like Mac OS X`. Its network library names the processor of a Mac, and of nothing else.
  ['mac', /\bMacintosh|(?<!like )Mac OS X|\bmacOS\b|Mac_PowerPC|\bDarwin\/.*\b(?:x86_64|i386)\b/],
  // A Chromebook that says Windows says X11 before it.
  ['windows', /(?<!X11; )(?:\b|_)Windows/i],
];

/**
 * Whether the bearer of a User-Agent whose platform is `mac` may be an iPad: Safari, or an app's view of the
 * web, which look the same on both. Browsers with an engine of their own are not to be had on iPads.
 */
export function mayBeIpad(userAgent: string): boolean {
  return WEBKIT_ON_A_MAC.test(userAgent) && !ENGINE_OF_ITS_OWN.test(userAgent);
}

const WEBKIT_ON_A_MAC = /\bMacintosh;.*\bAppleWebKit\//;
const ENGINE_OF_ITS_OWN = /\b(?:Chrome|Chromium|Edg|OPR|Firefox|QtWebEngine)\//;

/**
 * The platform of a visitor whose User-Agent names `named` and whose Sec-CH-UA-Platform is `hint`. A store
 * that was named stays, for the hint of a Fire tablet is Android's; it speaks where the User-Agent names none, as that
 * of an Android phone that asks for the desktop's page does.
 */
export function readHintedPlatform(named: Platform, hint: string): Platform {
  return named === 'other' ? (HINTED.get(hint) ?? named) : named;
}

// https://wicg.github.io/ua-client-hints/#sec-ch-ua-platform: a string in quotes. The others it lists have no store.
const HINTED: ReadonlyMap<string, Platform> = new Map([
  ['"Android"', 'android'],
  ['"macOS"', 'mac'],
  ['"Windows"', 'windows'],
]);
