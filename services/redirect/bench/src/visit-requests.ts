import { writeLineScript, writeLines } from './line-script.js';

/** Requests that a client sends one after another, and again from the start. */
export type VisitMix = {
  readonly slugs: readonly string[];
  /** How many different browsers there are; their User-Agents differ in versions and devices as real ones do. */
  readonly agents: number;
  /** How many different visitors a trusted proxy names in X-Forwarded-For; 0: there is no such header. */
  readonly addresses: number;
  /** Every how many visits has parameters; 0: none. */
  readonly queryEvery: number;
  /** The visits come by the address of the QR code. */
  readonly isScan: boolean;
  /** All visitors have a phone. */
  readonly isPhone: boolean;
};

/** A multiple of everything that is mixed, and few enough for a client to have them all ready. */
const REQUESTS = 20_000;

const QUERIES = [
  'utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale',
  'ref=story&fbclid=IwAR2qk3J9x0',
];

/**
 * Writes the requests of `mix` and a wrk script that sends them to `folder`, and returns the script's path. Each is what
 * a browser sends when somebody follows a link: some 400 bytes.
 */
export function writeWrkScript(folder: string, name: string, mix: VisitMix): string {
  const headers = Object.entries(BROWSER_HEADERS).map(
    ([header, value]) => `wrk.headers[${JSON.stringify(header)}] = ${JSON.stringify(value)}`,
  );
  return writeLineScript(folder, name, {
    linesFile: writeLines(folder, name, visitLines(mix)),
    offset: 0,
    setup: `${headers.join('\n')}\n${REQUEST_OF_LINE}`,
    kept: 'request_of(line)',
    request: 'kept',
  });
}

// The other way round than visitLines.
const REQUEST_OF_LINE = `local function request_of(line)
  local path, agent, address = line:match("^([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)$")
  local headers = {}
  for name, value in pairs(wrk.headers) do headers[name] = value end
  headers["User-Agent"] = agent
  if address ~= "" then headers["X-Forwarded-For"] = address end
  return wrk.format("GET", path, headers)
end`;

/** Returns one line a request: path, User-Agent and address, between tabs. */
export function visitLines({ slugs, agents, addresses, queryEvery, isScan, isPhone }: VisitMix): string[] {
  // The same few would be sent over and over in the same order; more of them only take the client's cache.
  const isVaried = Math.max(slugs.length, agents, addresses) > 1_000;
  return Array.from({ length: isVaried ? REQUESTS : REQUESTS / 20 }, (_, number) => {
    // Numbers without a common divisor: every slug meets every browser.
    const slug = slugs[(number * 7_919) % slugs.length] ?? '';
    const query = queryEvery > 0 && number % queryEvery === 0 ? `?${QUERIES[number % 2] ?? ''}` : '';
    const agent = userAgent((number * 104_729) % agents, isPhone);
    return [
      `/${isScan ? 'q/' : ''}${slug}${query}`,
      agent,
      addresses > 0 ? address(number % addresses) : '',
    ].join('\t');
  });
}

/** Returns the headers of every visit, in the order in which browsers send them. */
export const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
  Referer: 'https://news.example.org/',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};

/** Returns the User-Agent of the browser with this number, 0 to 9,999. */
export function userAgent(number: number, isPhone: boolean): string {
  const version = 142 - (number % 40);
  const build = Math.floor(number / 40);
  const chrome = `Chrome/${version}.0.${build === 0 ? 0 : 6_000 + build}.${number % 7} Safari/537.36`;
  if (isPhone) {
    return `Mozilla/5.0 (Linux; Android ${10 + (number % 6)}; SM-S9${10 + (number % 30)}B) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome.replace(' Safari', ' Mobile Safari')}`;
  }
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`;
}

/** Of networks that are in use; they are only ever text in a header. */
function address(number: number): string {
  return `${20 + (number % 170)}.${(number * 31) % 256}.${(number * 7) % 256}.${1 + (number % 250)}`;
}
