import type { Platform } from './platform.js';

// Apps that show pages themselves, and browsers the parser takes for others.
const TOKENS = [
  ['Instagram', /\bInstagram \d/],
  ['Messenger', /\bFBAN\/Messenger|\bOrca-Android\b/],
  ['Facebook', /\bFBA[NV]\/|\bFB_IAB\b/],
  ['Pinterest', /\bPinterest\b/],
  ['Honor Browser', /\bHonorBrowser\//i],
  ['UC Browser', /\bUC(?:Browser|Mobile)\/|\bUCWEB/],
  ['Weibo', /Weibo/],
  ['TikTok', /\bBytedanceWebview\/|\bmusical_ly/],
  ['Brave', /\bBrave\b/],
  ['Phoenix Browser', /\bPHX\/\d/],
  // The parser's pattern of it takes 8 ms for 512 characters made for that, all others together below 4.
  ['NAVER', /naver\(/i],
] as const;

/** The parser's names in lower case, and ours. What is not listed is `other`. */
const BY_PARSED_NAME = {
  chrome: 'Chrome',
  chromium: 'Chromium',
  'chrome webview': 'Android WebView',
  'android browser': 'Android Browser',
  safari: 'Safari',
  'mobile safari': 'Safari',
  edge: 'Edge',
  firefox: 'Firefox',
  fennec: 'Firefox',
  'firefox focus': 'Firefox',
  'firefox reality': 'Firefox',
  klar: 'Firefox',
  ie: 'Internet Explorer',
  iemobile: 'Internet Explorer',
  opera: 'Opera',
  'opera mobi': 'Opera',
  'opera tablet': 'Opera',
  'opera touch': 'Opera',
  'opera gx': 'Opera',
  'opera coast': 'Opera',
  'opera mini': 'Opera Mini',
  'samsung internet': 'Samsung Internet',
  'huawei browser': 'Huawei Browser',
  'miui browser': 'MIUI Browser',
  'vivo browser': 'Vivo Browser',
  heytap: 'HeyTap Browser',
  'oculus browser': 'Oculus Browser',
  'sailfish browser': 'Sailfish Browser',
  'smart lenovo browser': 'Lenovo Browser',
  silk: 'Silk',
  kindle: 'Kindle',
  ucbrowser: 'UC Browser',
  qqbrowser: 'QQ Browser',
  qqbrowserlite: 'QQ Browser',
  qq: 'QQ',
  wechat: 'WeChat',
  baidu: 'Baidu',
  '360 browser': '360 Browser',
  'sogou explorer': 'Sogou',
  'sogou mobile': 'Sogou',
  alipay: 'Alipay',
  snapchat: 'Snapchat',
  twitter: 'X',
  linkedin: 'LinkedIn',
  line: 'LINE',
  kakaotalk: 'KakaoTalk',
  kakaostory: 'KakaoTalk',
  whale: 'Whale',
  klarna: 'Klarna',
  gsa: 'Google',
  yandex: 'Yandex Browser',
  duckduckgo: 'DuckDuckGo',
  vivaldi: 'Vivaldi',
  'coc coc': 'Coc Coc',
  'avast secure browser': 'Avast Secure Browser',
  'avg secure browser': 'AVG Secure Browser',
  maxthon: 'Maxthon',
  puffin: 'Puffin',
  dolphin: 'Dolphin',
  midori: 'Midori',
  epiphany: 'Epiphany',
  falkon: 'Falkon',
  konqueror: 'Konqueror',
  palemoon: 'Pale Moon',
  waterfox: 'Waterfox',
  seamonkey: 'SeaMonkey',
  electron: 'Electron',
  nokiabrowser: 'Nokia Browser',
  ovi: 'Nokia Browser',
  netfront: 'NetFront',
  obigo: 'Obigo',
  'up.browser': 'Openwave',
} as const;

export type Browser =
  (typeof TOKENS)[number][0] | (typeof BY_PARSED_NAME)[keyof typeof BY_PARSED_NAME] | 'iOS WebView' | 'other';

const PARSED_BROWSERS: ReadonlyMap<string, Browser> = new Map(Object.entries(BY_PARSED_NAME));

/** Returns the browser, where `parse` says what the parser calls it: never a name that is not listed here. */
export function readBrowser(userAgent: string, platform: Platform, parse: () => string | undefined): Browser {
  const named = TOKENS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (named !== undefined) return named;
  const parsedName = parse();
  // Apple's engine and no browser's name: a page inside an app.
  if (parsedName === 'WebKit') return platform === 'iphone' || platform === 'ipad' ? 'iOS WebView' : 'other';
  // What Google's engine names beside a version of its own is the web view of Android 4.4 and later.
  if (parsedName === 'Android Browser' && CHROME.test(userAgent)) return 'Android WebView';
  return PARSED_BROWSERS.get(parsedName?.toLowerCase() ?? '') ?? 'other';
}

const CHROME = /\bChrome\/\d/;

/** Every name that readBrowser returns. */
export const BROWSERS: ReadonlySet<string> = new Set([
  ...TOKENS.map(([name]) => name),
  ...PARSED_BROWSERS.values(),
  'iOS WebView',
  'other',
]);
