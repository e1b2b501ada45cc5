/** What statistics say of visitors, and what routing rules compare. A test holds the lists against the code that classifies. */

/** How a visitor came: by the short address, or by a QR code. */
export const VISIT_SOURCES = ['click', 'scan'] as const;

/** The classes of devices. */
export const DEVICES = ['mobile', 'tablet', 'desktop', 'tv', 'wearable', 'console', 'other'] as const;

// prettier-ignore
export const SYSTEMS = [
  'Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Chrome OS', 'Fire OS', 'HarmonyOS', 'Xbox', 'PlayStation',
  'Nintendo', 'Windows Phone', 'Windows Mobile', 'KaiOS', 'tvOS', 'watchOS', 'Tizen', 'webOS', 'Roku',
  'BlackBerry', 'Symbian', 'Chromecast', 'BSD', 'Solaris', 'Fuchsia', 'Series 40', 'Firefox OS', 'Sailfish OS',
  'Bada', 'MeeGo', 'other',
] as const;

// prettier-ignore
export const BROWSERS = [
  'Chrome', 'Safari', 'Firefox', 'Edge', 'Opera', 'Samsung Internet', 'Instagram', 'Messenger', 'Facebook',
  'Pinterest',
  'Honor Browser', 'UC Browser', 'Weibo', 'TikTok', 'Brave', 'Phoenix Browser', 'NAVER', 'Chromium',
  'Android WebView', 'Android Browser', 'Internet Explorer', 'Opera Mini', 'Huawei Browser', 'MIUI Browser',
  'Vivo Browser', 'HeyTap Browser', 'Oculus Browser', 'Sailfish Browser', 'Lenovo Browser', 'Silk', 'Kindle',
  'QQ Browser', 'QQ', 'WeChat', 'Baidu', '360 Browser', 'Sogou', 'Alipay', 'Snapchat', 'X', 'LinkedIn', 'LINE',
  'KakaoTalk', 'Whale', 'Klarna', 'Google', 'Yandex Browser', 'DuckDuckGo', 'Vivaldi', 'Coc Coc',
  'Avast Secure Browser', 'AVG Secure Browser', 'Maxthon', 'Puffin', 'Dolphin', 'Midori', 'Epiphany', 'Falkon',
  'Konqueror', 'Pale Moon', 'Waterfox', 'SeaMonkey', 'Electron', 'Nokia Browser', 'NetFront', 'Obigo',
  'Openwave', 'iOS WebView', 'other',
] as const;

/** The code of an unknown country. */
export const UNKNOWN_COUNTRY = 'XX';

/** Whether `code` is an officially assigned code of ISO 3166-1 alpha-2, in upper case. */
export function isCountryCode(code: string): boolean {
  return COUNTRY_CODES.has(code);
}

// The 249 of ISO 3166-1 as of 2026, a line for each first letter.
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ
  BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ
  DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET
  FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY
  HK HM HN HR HT HU
  ID IE IL IM IN IO IQ IR IS IT
  JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ
  LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
  NA NC NE NF NG NI NL NO NP NR NU NZ
  OM
  PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA
  RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ
  TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ
  VA VC VE VG VI VN VU
  WF WS
  YE YT
  ZA ZM ZW
  `
    .trim()
    .split(/\s+/),
);
