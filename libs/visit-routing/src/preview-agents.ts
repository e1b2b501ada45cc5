/**
 * Returns whether a User-Agent is one of those that fetch a link to show its title and picture in a message or a post.
 * Apps that open links in a view of their own name themselves too, but behind a browser's User-Agent: they are people,
 * so no app's bare name is in the list.
 */
export function isPreviewAgent(userAgent: string): boolean {
  return PREVIEW_AGENTS.test(userAgent);
}

// As the services document them or their requests show. Messages of Apple, KakaoTalk and LINE say facebookexternalhit,
// Signal says WhatsApp, Teams says SkypeUriPreview, Google Messages and Chat say PageRenderer or the snippet's address.
const PREVIEW_AGENTS = new RegExp(
  [
    '^WhatsApp/',
    'facebookexternalhit',
    'Facebot',
    'kakaotalk-scrap',
    'line-poker',
    'Twitterbot',
    'TelegramBot',
    'Slackbot',
    'Slack-ImgProxy',
    'LinkedInBot',
    'Discordbot',
    'SkypeUriPreview',
    'ViberUrlDownloader',
    'Pinterestbot',
    '^Pinterest/0\\.',
    'redditbot',
    'vkShare',
    'OdklBot',
    'Embedly',
    'Iframely',
    '(?:^|\\()Mastodon/',
    'SummalyBot',
    'Cardyb',
    'compatible; Zalo',
    'Google-PageRenderer',
    '/\\+/web/snippet',
    'Synapse \\(bot',
    '(?:Link|URL) ?Preview',
  ].join('|'),
  'i',
);
