declare const checked: unique symbol;

/** A header value that was checked; only `headerValue` makes one. */
export type HeaderValue = string & { readonly [checked]: true };

export type Header = readonly [name: string, value: HeaderValue];

/**
 * What all answers of one kind begin with. Each is made once: the server keeps its bytes and writes them in one piece,
 * where every header by itself costs 0.1 µs.
 */
export type Head = {
  /** Status line without the version, `302 Found`. */
  readonly status: string;
  readonly headers: readonly Header[];
};

/** One whole answer, written at once, and for HEAD without its body. */
export type Reply = {
  readonly head: Head;
  /** Where it leads, the one header that every redirect has of its own. */
  readonly location?: HeaderValue;
  /** What else is this answer's own. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The connection ends with this answer, for what is left of the request is not read. */
  readonly closesConnection?: boolean;
  /** What a visitor may have kept of it: then `notModified` is the answer. */
  readonly validator?: { readonly etag: string; readonly notModified: Reply };
  /** There is no body, and this is told as its length, as to HEAD. */
  readonly lengthOnly?: number;
};

/** The same answer in the encodings a visitor may take. Told from a Reply by having no head. */
export type EncodedReply = {
  readonly head?: undefined;
  readonly brotli: Reply;
  readonly gzip: Reply;
  /** For those who take neither, bots mostly. */
  readonly identity: () => Reply | Promise<Reply>;
  /** Of the identity form, so that nobody inflates it to say that it is the same; null where nobody keeps it. */
  readonly identityValidator: Reply['validator'] | null;
};

export type Answer = Reply | EncodedReply;

// uWebSockets.js writes values as they are, so a line break would begin a header or a body of the visitor's choice.
// Visible ASCII and spaces are all that any header of ours needs.
const UNSAFE = /[^\x20-\x7e]/;

/** Returns `text` as a header value. Throws when it holds anything but printable ASCII: no visitor's text comes here. */
export function headerValue(text: string): HeaderValue {
  if (UNSAFE.test(text)) throw new Error('A header value holds a character that no header may');
  return text as HeaderValue;
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  301: '301 Moved Permanently',
  302: '302 Found',
  303: '303 See Other',
  304: '304 Not Modified',
  307: '307 Temporary Redirect',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  410: '410 Gone',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

/** Returns what answers of a kind begin with. Throws for a code that is not in the table. */
export function createHead(code: number, headers: readonly Header[]): Head {
  const status = STATUS_LINES[code];
  if (status === undefined) throw new Error(`No status line for ${code}`);
  return { status, headers };
}

/** Returns the function that gives the head of each status code with the same headers, made once a code. */
export function createHeads(headers: readonly Header[]): (code: number) => Head {
  const heads = new Map<number, Head>();
  return (code) => {
    const known = heads.get(code) ?? createHead(code, headers);
    heads.set(code, known);
    return known;
  };
}

const EMPTY = Buffer.alloc(0);

/** Owners want to see where their visitors came from, and targets want it too; paths stay private. */
export const REFERRER_POLICY: Header = ['Referrer-Policy', headerValue('strict-origin-when-cross-origin')];
export const NO_STORE: Header = ['Cache-Control', headerValue('private, no-store')];
export const NO_INDEX: Header = ['X-Robots-Tag', headerValue('noindex')];
export const NO_SNIFF: Header = ['X-Content-Type-Options', headerValue('nosniff')];

const redirectHead = createHeads([NO_STORE, REFERRER_POLICY, NO_INDEX]);

/** Returns a redirect; `extra` goes behind its own headers. Throws when `location` is not printable ASCII. */
export function redirectReply(code: number, location: string, extra: readonly Header[] = []): Reply {
  return {
    head: redirectHead(code),
    location: headerValue(location),
    headers: extra,
    body: EMPTY,
  };
}

const PLAIN_TEXT: Header = ['Content-Type', headerValue('text/plain; charset=utf-8')];

/** The answer to a method that an address does not take. */
export const methodNotAllowed = (): Reply =>
  textReply(405, 'Method not allowed\n', [['Allow', headerValue('GET, HEAD')]]);

const textHead = createHeads([NO_STORE, NO_SNIFF, PLAIN_TEXT]);

/** Returns a short plain text that nobody keeps. */
export function textReply(code: number, text: string, extra: readonly Header[] = []): Reply {
  return { head: textHead(code), headers: extra, body: Buffer.from(text) };
}
