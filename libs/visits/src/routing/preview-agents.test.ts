import { expect, test } from 'vitest';
import { classifyAgent } from './classify.js';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`;
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36';

// As these services document them, or as they stand in public collections.
test.each([
  ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
  ['Signal', 'WhatsApp/2'],
  ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [
    'Messages of Apple',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) ${WEBKIT} Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
  ],
  ['KakaoTalk', 'facebookexternalhit/1.1;kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984'],
  ['LINE', 'facebookexternalhit/1.1;line-poker/1.0'],
  ['X', 'Twitterbot/1.0'],
  ['Telegram', 'TelegramBot (like TwitterBot)'],
  ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['pictures in Slack', 'Slack-ImgProxy 1.136 (+https://api.slack.com/robots)'],
  ['LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
  ['Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  [
    'Teams and Skype',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  ],
  ['Viber', 'Mozilla/5.0 (Windows NT 6.1; WOW64) ViberUrlDownloader'],
  ['Pinterest', 'Pinterest/0.2 (+https://www.pinterest.com/bot.html)'],
  [
    'Pinterest as a phone',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) Chrome/41.0 Mobile Safari/537.36 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
  ],
  ['Reddit', 'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)'],
  ['VK', 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)'],
  ['Odnoklassniki', 'Mozilla/5.0 (compatible; OdklBot/1.0 like Linux; klass@odnoklassniki.ru)'],
  ['Embedly', 'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)'],
  ['Iframely', 'Iframely/1.3.1 (+https://iframely.com/docs/about)'],
  ['Mastodon', 'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/)'],
  ['Mastodon until 4.2', 'http.rb/5.1.1 (Mastodon/4.2.10; +https://mastodon.social/)'],
  ['Bluesky', 'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
  ['Snapchat', 'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots'],
  ['Zalo', 'Mozilla/5.0 (compatible; Zalo/1.0; +https://zalo.me)'],
  [
    'Messages of Google',
    'Mozilla/5.0 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
  ],
  ['Matrix', 'Synapse (bot; +https://github.com/matrix-org/synapse)'],
])('makes a preview: %s', (_service, userAgent) => {
  expect(classifyAgent(userAgent)).toMatchObject({ isBot: true, isPreview: true, mayBeIpad: false });
});

test.each([
  ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/500.0;FBDV/iPhone15,2]`],
  ['Facebook on Android', `${ANDROID} [FB_IAB/FB4A;FBAV/500.0.0.0;]`],
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 350.0.0.0 (iPhone15,2; iOS 18_5)`],
  ['WhatsApp', `${IPHONE} Mobile/15E148 WhatsApp/2.25.1`],
  ['Telegram', `${ANDROID} Telegram-Android/12.3.1 (Xiaomi; Android 14; SDK 34; AVERAGE)`],
  ['LINE', `${IPHONE} Mobile/15E148 Safari Line/15.0.0`],
  ['KakaoTalk', `${IPHONE} Mobile/15E148 Safari/604.1 KAKAOTALK/11.3.1 (INAPP)`],
  ['Viber', `${ANDROID} Viber/25.1.0`],
  ['Pinterest', `${ANDROID} [Pinterest/Android]`],
  ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30`],
  ['X', `${IPHONE} Mobile/15E148 Twitter for iPhone/10.50`],
  ['Snapchat', `${IPHONE} Mobile/15E148 Snapchat/13.0 (like Safari/8620.1, panda)`],
  ['Zalo', `${ANDROID} Zalo android/240500001 ZaloTheme/light`],
  [
    'Slack for desktops',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.40 Chrome/142.0 Electron/37 Safari/537.36',
  ],
])('who opens a link inside an app is a person: %s', (_app, userAgent) => {
  expect(classifyAgent(userAgent)).toMatchObject({ isBot: false, isPreview: false });
});

test.each([
  ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['curl', 'curl/8.5.0'],
  ['nobody', ''],
])('a bot that makes no preview is none: %s', (_who, userAgent) => {
  expect(classifyAgent(userAgent)).toMatchObject({ isBot: true, isPreview: false });
});
