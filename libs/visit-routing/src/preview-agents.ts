/**
 * Returns whether a User-Agent is one of those that fetch a link to show its title and picture in a message or a post.
 * Apps that open links in a view of their own name themselves too, but behind a browser's User-Agent: they are people.
 */
export function isPreviewAgent(userAgent: string): boolean {
  return PREVIEW.test(userAgent);
}

const PREVIEW =
  /^WhatsApp\/|facebookexternalhit|Facebot|Twitterbot|TelegramBot|Slackbot|Slack-ImgProxy|LinkedInBot|Discordbot|SkypeUriPreview|redditbot|vkShare|Embedly|Iframely/i;
