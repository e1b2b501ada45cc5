import type { System } from './operating-system.js';
import type { Platform } from './platform.js';

/** The classes of devices (decisions.md, Visits). */
export const DEVICES = ['mobile', 'tablet', 'desktop', 'tv', 'wearable', 'console', 'other'] as const;
export type Device = (typeof DEVICES)[number];

/** What is known of a visitor when the device is asked for. */
export type DeviceClues = {
  readonly platform: Platform;
  readonly os: System;
  /** As the parser calls it, undefined where it knows no model. */
  readonly parsedType: string | undefined;
};

/** Returns the class of a person's device: what it names itself, then its system, then the model the parser knows. */
export function readDevice(userAgent: string, { platform, os, parsedType }: DeviceClues): Device {
  if (CONSOLES.has(os) || parsedType === 'console') return 'console';
  // The parser's own wearables are any User-Agent that holds the word quest.
  if (os === 'watchOS' || WEARABLE.test(userAgent)) return 'wearable';
  if (os === 'tvOS' || os === 'Roku' || parsedType === 'smarttv' || TELEVISION.test(userAgent)) return 'tv';
  if (parsedType === 'embedded') return 'other';
  if (platform === 'ipad') return 'tablet';
  if (platform === 'iphone') return 'mobile';
  // Makers of phones stand in the names of their notebooks too.
  if (DESKTOPS_ALONE.has(os) || COMPUTER.test(userAgent)) return 'desktop';
  if (parsedType === 'tablet' || parsedType === 'mobile') return parsedType;
  return readUnknownModel(userAgent, os);
}

function readUnknownModel(userAgent: string, os: System): Device {
  if (os === 'Fire OS') return 'tablet';
  // Browsers on Android say Mobile on phones, and nothing on tablets; apps say neither.
  if (os === 'Android' || os === 'HarmonyOS')
    return userAgent.includes(' Safari/') && !userAgent.includes('Mobile') ? 'tablet' : 'mobile';
  if (PHONES.has(os) || FEATURE_PHONE.test(userAgent)) return 'mobile';
  return DESKTOPS.has(os) ? 'desktop' : 'other';
}

const CONSOLES: ReadonlySet<System> = new Set<System>(['Xbox', 'PlayStation', 'Nintendo']);
const DESKTOPS_ALONE: ReadonlySet<System> = new Set<System>(['Windows', 'macOS', 'Chrome OS']);
const DESKTOPS: ReadonlySet<System> = new Set<System>(['Linux', 'BSD', 'Solaris']);
const PHONES: ReadonlySet<System> = new Set<System>([
  'iOS',
  'Windows Phone',
  'Windows Mobile',
  'KaiOS',
  'Tizen',
  'webOS',
  'Symbian',
  'Series 40',
  'BlackBerry',
  'Firefox OS',
  'Sailfish OS',
  'Bada',
  'MeeGo',
]);

const WEARABLE =
  /\bWatch\d+,\d|\bWear ?OS\b|\bPebble|;\s?SM-R\d{3}|\bOculusBrowser\/|;\s?Quest(?: \d| Pro)?[);]|;\s?Glass \d/;
const TELEVISION =
  /\b(?:HbbTV|Google ?TV|Android ?TV|Smart-?TV|NetCast|BRAVIA|VIERA|NETTV|CrKey|Large Screen|DTV|WebTV)\b|\bWeb0S\b|;\s?AFT[A-Z]|\bTizen\b.*\bTV\b/i;
const COMPUTER = /\(PC; OpenHarmony|\bCrOS\b/;
// Java's phones, and browsers that were made for phones without a system.
const FEATURE_PHONE =
  /\bMIDP|\bDoCoMo\/|\bKDDI-|\bSoftBank\/|\bCLDC|\bJ2ME|\bBREW\b|UP\.(?:Browser|Link)|\bWAP|NetFront|Obigo|Opera Mini|\bUC ?WEB|UC ?Browser/i;
