import type { Platform } from './platform.js';

// What a User-Agent names as plainly as this is so, whatever else it says for the sake of old pages. In this order.
const TOKENS = [
  ['Xbox', /\bXbox\b/i],
  ['PlayStation', /\bPlayStation\b/i],
  ['Nintendo', /\bNintendo\b/i],
  ['Windows Phone', /Windows Phone|\bZuneWP|\bWindows; U; wds /i],
  ['Windows Mobile', /Windows (?:CE|Mobile)\b|\bIEMobile\b/i],
  ['KaiOS', /\bKAIOS\b/i],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['tvOS', /\btvOS\b|\bApple ?TV/i],
  ['watchOS', /\bwatch ?OS\b/i],
  ['Tizen', /\bTizen\b/i],
  ['webOS', /\b(?:webOS|Web0S|hpwOS)\b/i],
  ['Roku', /\bRoku\b/],
  ['BlackBerry', /\bBlackBerry|\(BB10;|\bPlayBook\b/i],
  ['Symbian', /\bSymb|\bSeries ?60|\bS60[ /V;]/i],
] as const;

/** Store platforms that have one system. Huawei's have Android or, by its token, HarmonyOS. */
const BY_PLATFORM = {
  fire: 'Fire OS',
  huawei: 'Android',
  android: 'Android',
  ipad: 'iOS',
  iphone: 'iOS',
  mac: 'macOS',
  windows: 'Windows',
} as const;

/** The parser's names in lower case, and ours. Distributions are Linux, and what is not listed is `other`. */
const BY_PARSED_NAME = {
  android: 'Android',
  'android-x86': 'Android',
  ios: 'iOS',
  'mac os': 'macOS',
  'mac os x': 'macOS',
  windows: 'Windows',
  'chromium os': 'Chrome OS',
  chromecast: 'Chromecast',
  linux: 'Linux',
  ubuntu: 'Linux',
  kubuntu: 'Linux',
  xubuntu: 'Linux',
  lubuntu: 'Linux',
  debian: 'Linux',
  fedora: 'Linux',
  suse: 'Linux',
  opensuse: 'Linux',
  gentoo: 'Linux',
  arch: 'Linux',
  slackware: 'Linux',
  mandriva: 'Linux',
  mageia: 'Linux',
  centos: 'Linux',
  'red hat': 'Linux',
  redhat: 'Linux',
  raspbian: 'Linux',
  manjaro: 'Linux',
  deepin: 'Linux',
  mint: 'Linux',
  gnu: 'Linux',
  freebsd: 'BSD',
  openbsd: 'BSD',
  netbsd: 'BSD',
  dragonfly: 'BSD',
  bsd: 'BSD',
  solaris: 'Solaris',
  fuchsia: 'Fuchsia',
  series40: 'Series 40',
  'firefox os': 'Firefox OS',
  sailfish: 'Sailfish OS',
  bada: 'Bada',
  meego: 'MeeGo',
  maemo: 'MeeGo',
} as const;

export type System =
  | (typeof TOKENS)[number][0]
  | (typeof BY_PLATFORM)[keyof typeof BY_PLATFORM]
  | (typeof BY_PARSED_NAME)[keyof typeof BY_PARSED_NAME]
  | 'other';

const PARSED_SYSTEMS: ReadonlyMap<string, System> = new Map(Object.entries(BY_PARSED_NAME));

/** Returns the operating system, where `parsedName` is what the parser calls it: never a name that is not listed here. */
export function readSystem(userAgent: string, platform: Platform, parsedName: string | undefined): System {
  const named = TOKENS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (named !== undefined) return named;
  if (platform !== 'other') return BY_PLATFORM[platform];
  return PARSED_SYSTEMS.get(parsedName?.toLowerCase() ?? '') ?? 'other';
}

/** Every name that readSystem returns. */
export const SYSTEMS: ReadonlySet<string> = new Set([
  ...TOKENS.map(([name]) => name),
  ...Object.values(BY_PLATFORM),
  ...PARSED_SYSTEMS.values(),
  'other',
]);
