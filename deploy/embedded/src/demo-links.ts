export type DemoLink = {
  /** A body of POST /api/v1/smartlink; the slug is what the demo user's links are recognised by. */
  readonly configuration: {
    readonly smartlinkName: string;
    readonly smartlinkUrl: string;
    readonly smartlinkType: string;
  };
} & Readonly<Record<string, unknown>>;

/** The links that a first `npm start` makes. Each is sent to the API as it stands here. */
export const DEMO_LINKS: readonly DemoLink[] = [
  {
    configuration: { smartlinkName: 'Hello', smartlinkUrl: 'hello', smartlinkType: 'Url' },
    shortener: { url: 'https://example.com/' },
  },
  {
    configuration: { smartlinkName: 'Documentation', smartlinkUrl: 'docs', smartlinkType: 'Url' },
    shortener: { url: 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Redirections' },
  },
  {
    configuration: { smartlinkName: 'Autumn sale', smartlinkUrl: 'shop', smartlinkType: 'Url' },
    shortener: { url: 'https://www.example.org/shop?utm_source=poster&utm_campaign=autumn' },
  },
];
