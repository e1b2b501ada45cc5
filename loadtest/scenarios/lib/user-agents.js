// Browsers, apps and programs as they call themselves, with the share of visits each is drawn for: phones first, as links
// in messages and on paper are opened. `platform` says which store of an App link they are led to. The share of programs is
// ours: it depends on where a link is posted more than on anything else.
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)';
const IPHONE_26 = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)';

const people = (platform, list) => list.map(([share, text]) => ({ share, text, platform, isBot: false }));
const programs = (list) => list.map(([share, text]) => ({ share, text, platform: '', isBot: true }));

export const AGENTS = [
  ...people('other', [
    [130, `${WINDOWS} ${BLINK} Chrome/142.0.0.0 Safari/537.36`],
    [25, `${WINDOWS} ${BLINK} Chrome/141.0.0.0 Safari/537.36`],
    [35, `${WINDOWS} ${BLINK} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
    [20, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    [8, `${WINDOWS} ${BLINK} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`],
    [8, `${WINDOWS} ${BLINK} Chrome/140.0.0.0 YaBrowser/25.10.0.0 Safari/537.36`],
    [30, `${MAC} ${BLINK} Chrome/142.0.0.0 Safari/537.36`],
    [5, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0'],
    [8, `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Chrome/142.0.0.0 Safari/537.36`],
    [5, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    [3, `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/141.0.0.0 Safari/537.36`],
  ]),
  ...people('mac-safari', [
    [35, `${MAC} ${WEBKIT} Version/26.1 Safari/605.1.15`],
    [12, `${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`],
  ]),
  ...people('android', [
    [230, `${ANDROID} ${BLINK} Chrome/142.0.0.0 Mobile Safari/537.36`],
    [40, `${ANDROID} ${BLINK} Chrome/141.0.0.0 Mobile Safari/537.36`],
    [40, `${ANDROID} ${BLINK} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`],
    [8, 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
    [6, `${ANDROID} ${BLINK} Chrome/142.0.0.0 Safari/537.36 EdgA/142.0.0.0`],
    [8, `${ANDROID} ${BLINK} Chrome/138.0.0.0 Mobile Safari/537.36 OPR/92.0.0.0`],
    [
      12,
      `Mozilla/5.0 (Linux; Android 15; SM-S931B Build/AP3A.240905.015; wv) ${BLINK} Version/4.0 Chrome/141.0.7390.122 Mobile Safari/537.36 Instagram 405.0.0.46.78 Android (35/15; 480dpi; 1080x2340; samsung; SM-S931B; pa1q; qcom; en_GB; 800000000)`,
    ],
    [
      12,
      `Mozilla/5.0 (Linux; Android 14; 23106RN0DA Build/UP1A.231005.007; wv) ${BLINK} Version/4.0 Chrome/141.0.7390.122 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/535.0.0.41.109;]`,
    ],
    [
      6,
      `Mozilla/5.0 (Linux; Android 13; RMX3710 Build/TP1A.220905.001; wv) ${BLINK} Version/4.0 Chrome/140.0.7339.207 Mobile Safari/537.36 musical_ly_2024108030`,
    ],
    [
      5,
      `Mozilla/5.0 (Linux; Android 12; SM-X205 Build/SP1A.210812.016) ${BLINK} Chrome/142.0.0.0 Safari/537.36`,
    ],
  ]),
  ...people('ios', [
    [130, `${IPHONE_26} ${WEBKIT} Version/26.1 Mobile/15E148 Safari/604.1`],
    [60, `${IPHONE} ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`],
    [
      10,
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) ${WEBKIT} Version/17.7 Mobile/15E148 Safari/604.1`,
    ],
    [20, `${IPHONE} ${WEBKIT} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`],
    [4, `${IPHONE} ${WEBKIT} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
    [
      15,
      `${IPHONE} ${WEBKIT} Mobile/22G86 Instagram 405.0.0.37.61 (iPhone15,2; iOS 18_6; en_GB; en-GB; scale=3.00; 1179x2556; 800000000)`,
    ],
    [
      10,
      `${IPHONE} ${WEBKIT} Mobile/22G86 [FBAN/FBIOS;FBAV/535.0.0.30.107;FBBV/800000000;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.6;FBSS/3;FBCR/;FBID/phone;FBLC/en_GB;FBOP/80]`,
    ],
    [5, `${IPHONE} ${WEBKIT} Mobile/15E148 Snapchat/13.65.0.42 (like Safari/8621.2.5.10.10, panda)`],
  ]),
  ...programs([
    [12, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [10, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    [10, 'WhatsApp/2.23.20.0'],
    [8, 'TelegramBot (like TwitterBot)'],
    [6, 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    [5, 'Twitterbot/1.0'],
    [4, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    [4, 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'],
    [4, 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
    [4, 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
    [3, 'curl/8.16.0'],
    [3, 'python-requests/2.32.5'],
  ]),
];
