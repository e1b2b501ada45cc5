/** Syntax of comments, strings, numbers and keywords in a family of languages. */
type Syntax = {
  /** What begins a comment that ends with its line. */
  readonly lineComments: readonly string[];
  /** Whether such a comment begins only a line or after white space, as `#` in `${x#y}` does not. */
  readonly isCommentSpaced: boolean;
  /** Start and end of a multi-line comment; null if there is none. */
  readonly blockComment: readonly [string, string] | null;
  /** Quotes of strings that end on their line. */
  readonly quotes: string;
  /** Escape of a quote within a string: a backslash or the quote itself. */
  readonly quoteEscape: 'backslash' | 'quote';
  /** Whether three quotes begin a string of several lines. */
  readonly hasTripleQuotes: boolean;
  /** Whether a backquote begins a string of several lines with `${code}` in it. */
  readonly hasTemplates: boolean;
  readonly hasRegExps: boolean;
  /** Keywords that are names, and not coloured, before a colon. */
  readonly namesBeforeColon: 'none' | 'words' | 'strings';
  /** Whether only `<tags>` are coloured. */
  readonly hasTags: boolean;
  /** Whether a hyphen is part of a word. */
  readonly hasHyphens: boolean;
  readonly keywords: ReadonlySet<string>;
  /** Whether capitals count as small letters in keywords. */
  readonly ignoresCase: boolean;
};

const NOTHING: Syntax = {
  lineComments: [],
  isCommentSpaced: false,
  blockComment: null,
  quotes: `"'`,
  quoteEscape: 'backslash',
  hasTripleQuotes: false,
  hasTemplates: false,
  hasRegExps: false,
  namesBeforeColon: 'none',
  hasTags: false,
  hasHyphens: false,
  keywords: new Set(),
  ignoresCase: false,
};

// Words that are keywords in most languages with them and are seldom names in the others.
const COMMON = words(
  'as async await break case catch class const continue default delete else enum export extends false finally for ' +
    'function if import in interface let new null package private protected public return static super switch this ' +
    'throw true try type var void while with yield',
);

const HASH: Syntax = {
  ...NOTHING,
  lineComments: ['#'],
  isCommentSpaced: true,
  hasTripleQuotes: true,
  keywords: new Set([
    ...COMMON,
    ...words(
      'None True False and assert begin def del do done echo elif elsif end ensure esac except exit fi from func ' +
        'global is lambda local match module nil nonlocal not or pass raise require rescue self set source then ' +
        'unless until CMD COPY ENTRYPOINT ENV EXPOSE FROM RUN USER WORKDIR',
    ),
  ]),
};

/**
 * The syntaxes. Each is a family of languages that are coloured alike.
 * - `c`: with braces, from C over Java, Go and Rust to TypeScript and PHP
 * - `hash`: Python, Ruby, shell, Dockerfile and others whose comments begin with `#`
 */
export const SYNTAXES = {
  c: {
    ...NOTHING,
    lineComments: ['//'],
    blockComment: ['/*', '*/'],
    hasTemplates: true,
    hasRegExps: true,
    namesBeforeColon: 'words',
    keywords: new Set([
      ...COMMON,
      ...words(
        'abstract auto byte chan char constructor declare defer do double fallthrough final float fn foreach fun func go ' +
          'goto impl implements include inline instanceof int internal is keyof long mod mut namespace nil nullptr of ' +
          'operator override pub readonly satisfies sealed short signed sizeof struct template trait typedef typeof ' +
          'undefined union unsafe unsigned use using virtual volatile',
      ),
    ]),
  },
  css: {
    ...NOTHING,
    blockComment: ['/*', '*/'],
    hasHyphens: true,
    keywords: words('charset container font-face import important keyframes layer media not supports'),
  },
  hash: HASH,
  ini: { ...HASH, lineComments: ['#', ';'], keywords: words('true false yes no on off null none') },
  json: { ...NOTHING, quotes: '"', namesBeforeColon: 'strings', keywords: words('true false null') },
  sql: {
    ...NOTHING,
    lineComments: ['--'],
    blockComment: ['/*', '*/'],
    quoteEscape: 'quote',
    ignoresCase: true,
    keywords: words(
      'add all alter and any as asc begin between bigint boolean by case cascade check column commit conflict ' +
        'constraint create cross current_timestamp database date default delete desc distinct do drop else end except ' +
        'exists false fetch first for foreign from full function grant group having if in index inner insert int ' +
        'integer interval into is join jsonb key left like limit materialized not null numeric offset on or order ' +
        'outer over partition primary references replace returning returns revoke right rollback schema select set ' +
        'table text then timestamp timestamptz to transaction trigger true truncate union unique update using uuid ' +
        'values varchar view when where with',
    ),
  },
  tags: { ...NOTHING, blockComment: ['<!--', '-->'], hasTags: true },
  yaml: {
    ...HASH,
    hasTripleQuotes: false,
    namesBeforeColon: 'words',
    keywords: words('true false yes no on off null'),
  },
} as const satisfies Readonly<Record<string, Syntax>>;

export type SyntaxName = keyof typeof SYNTAXES;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** A piece of a text that is coloured: UTF-16 units `start` to `end`, `end` not included. */
export type Token = {
  readonly kind: 'comment' | 'string' | 'number' | 'keyword';
  readonly start: number;
  readonly end: number;
};

/**
 * The coloured pieces of a text in order, without overlaps. Unrecognised pieces, such as an unclosed string, are not
 * coloured.
 *
 * Takes linear time for every text, because each character is read only a few times: a failed search is not repeated
 * (`Reader.isMissing`, `Reader.unclosedUntil`).
 */
export function highlight(text: string, syntax: Syntax): readonly Token[] {
  const reader: Reader = {
    text,
    syntax,
    tokens: [],
    missing: new Set(),
    unclosedUntil: new Map(),
    templates: [],
    lastWord: { text: '', end: 0 },
    isInTag: false,
  };
  const starts = startsOf(syntax);
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const end = readFrom(reader, match.index, match[0]);
    // Always ahead: a match is never empty, and no reading ends before its match.
    starts.lastIndex = Math.max(end, match.index + match[0].length);
  }
  return reader.tokens;
}

type Reader = {
  readonly text: string;
  readonly syntax: Syntax;
  readonly tokens: Token[];
  /** Texts that do not occur again before the end. */
  readonly missing: Set<string>;
  /** By quote: the position in the current line up to which no string ends. */
  readonly unclosedUntil: Map<string, number>;
  /** For each `${` that is open: how many braces are open in it. */
  readonly templates: number[];
  lastWord: { readonly text: string; readonly end: number };
  isInTag: boolean;
};

/** Position at which reading continues; `found`, a possible begin of a token, is at `start`. */
function readFrom(reader: Reader, start: number, found: string): number {
  const { text, syntax } = reader;
  const first = found.charAt(0);
  if (syntax.blockComment?.[0] === found) return readUntil(reader, 'comment', start, syntax.blockComment);
  if (syntax.hasTags) return readInTag(reader, start, found);
  if (syntax.lineComments.includes(found)) {
    if (syntax.isCommentSpaced && start > 0 && !/\s/.test(text.charAt(start - 1))) return start + 1;
    return add(reader, 'comment', start, endOfLine(text, start));
  }
  switch (first) {
    case '"':
    case "'":
      return readString(reader, start, first);
    case '`':
      return find(reader, '`', start + 1) === -1 ? start + 1 : readTemplate(reader, start, start + 1);
    case '{':
    case '}':
      return readBrace(reader, start, first);
    case '/':
      return readRegExp(reader, start);
  }
  return first >= '0' && first <= '9'
    ? add(reader, 'number', start, start + found.length)
    : readWord(reader, start, found);
}

function readWord(reader: Reader, start: number, word: string): number {
  const { text, syntax } = reader;
  const end = start + word.length;
  reader.lastWord = { text: word, end };
  const isMember = text[start - 1] === '.' && text[start - 2] !== '.';
  const isKey = syntax.namesBeforeColon === 'words' && text[end] === ':' && !LABELS.has(word);
  if (!isMember && !isKey && syntax.keywords.has(syntax.ignoresCase ? word.toLowerCase() : word)) {
    add(reader, 'keyword', start, end);
  }
  // An apostrophe, as in “isn't”; up to two letters may say what sort of string it is.
  return text[end] === "'" && word.length > 2 ? end + 1 : end;
}

// Keywords that a colon follows: of `switch`, and of C++.
const LABELS = new Set(['default', 'public', 'protected', 'private']);

function readString(reader: Reader, start: number, quote: string): number {
  const { text, syntax } = reader;
  const triple = quote.repeat(3);
  if (syntax.hasTripleQuotes && text.startsWith(triple, start)) {
    return readUntil(reader, 'string', start, [triple, triple]);
  }
  if (quote === "'" && isLifetime(text, start)) return start + 1;
  const end = endOfString(reader, start, quote);
  if (end === -1) return start + 1;
  if (syntax.namesBeforeColon === 'strings' && /^\s?:/.test(text.slice(end, end + 2))) return end;
  return add(reader, 'string', start, end);
}

/** Whether an apostrophe is one of Rust's: `&'a str`, `<'a>`. */
function isLifetime(text: string, start: number): boolean {
  const before = text[start - 1];
  const isPossible = before === '<' || (before === '&' && text[start - 2] !== '&');
  return isPossible && /^\p{L}[^']/u.test(text.slice(start + 1, start + 3));
}

/** The end of a string that ends on its line, -1 when it does not. */
function endOfString(reader: Reader, start: number, quote: string): number {
  const { text, syntax, unclosedUntil } = reader;
  if (start < (unclosedUntil.get(quote) ?? 0)) return -1;
  let at = start + 1;
  for (; at < text.length && !isLineEnd(text, at); at += 1) {
    if (syntax.quoteEscape === 'backslash' && text[at] === '\\') {
      if (!isLineEnd(text, at + 1)) at += 1;
    } else if (text[at] === quote) {
      if (syntax.quoteEscape === 'backslash' || text[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  unclosedUntil.set(quote, at);
  return -1;
}

/** Reads on in a template, from `from`, whose part without code began at `start`. */
function readTemplate(reader: Reader, start: number, from: number): number {
  const { text, templates } = reader;
  for (let at = from; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '\\') at += 1;
    else if (unit === '`') return add(reader, 'string', start, at + 1);
    else if (unit === '$' && text[at + 1] === '{') {
      templates.push(0);
      return add(reader, 'string', start, at + 2);
    }
  }
  return add(reader, 'string', start, text.length);
}

function readBrace(reader: Reader, start: number, brace: string): number {
  const { templates } = reader;
  const open = templates.pop();
  if (open === undefined) return start + 1;
  if (brace === '}' && open === 0) return readTemplate(reader, start, start + 1);
  templates.push(brace === '{' ? open + 1 : open - 1);
  return start + 1;
}

/** Reads a regular expression: a slash begins one unless a value precedes it. */
function readRegExp(reader: Reader, start: number): number {
  const { text, unclosedUntil, lastWord } = reader;
  let before = start - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  const isAfterKeyword = lastWord.end === before + 1 && /^(?:return|case|typeof|of|in)$/.test(lastWord.text);
  const isPossible = isAfterKeyword || before < 0 || '(,=:[!&|?{};+\n'.includes(text.charAt(before));
  if (!isPossible || start < (unclosedUntil.get('/') ?? 0)) return start + 1;
  let isInClass = false;
  let at = start + 1;
  for (; at < text.length && !isLineEnd(text, at); at += 1) {
    const unit = text[at];
    if (unit === '\\' && !isLineEnd(text, at + 1)) at += 1;
    else if (unit === '[') isInClass = true;
    else if (unit === ']') isInClass = false;
    else if (unit === '/' && !isInClass) {
      at += 1;
      while (/[a-z]/.test(text.charAt(at))) at += 1;
      return add(reader, 'string', start, at);
    }
  }
  unclosedUntil.set('/', at);
  return start + 1;
}

function readInTag(reader: Reader, start: number, found: string): number {
  const end = start + found.length;
  if (found.startsWith('<')) {
    reader.isInTag = true;
    return add(reader, 'keyword', start + (/\p{L}|_/u.test(found.charAt(1)) ? 1 : 2), end);
  }
  if (found.startsWith('&')) return add(reader, 'number', start, end);
  if (!reader.isInTag) return end;
  if (found === '>') {
    reader.isInTag = false;
    return end;
  }
  return readUntil(reader, 'string', start, [found, found]);
}

/** Reads up to the end mark of `marks`, or only the start mark if the end is missing. */
function readUntil(
  reader: Reader,
  kind: Token['kind'],
  start: number,
  [open, close]: readonly [string, string],
): number {
  const inside = start + open.length;
  const end = find(reader, close, inside);
  return end === -1 ? inside : add(reader, kind, start, end + close.length);
}

function find({ text, missing }: Reader, what: string, from: number): number {
  if (missing.has(what)) return -1;
  const index = text.indexOf(what, from);
  if (index === -1) missing.add(what);
  return index;
}

function add({ tokens }: Reader, kind: Token['kind'], start: number, end: number): number {
  tokens.push({ kind, start, end });
  return end;
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineEnd(text, at)) at += 1;
  return at;
}

function isLineEnd(text: string, at: number): boolean {
  const unit = text[at];
  return unit === '\n' || unit === '\r';
}

/** Pattern of the next possible begin of a token. */
function startsOf(syntax: Syntax): RegExp {
  const comments = [...(syntax.blockComment?.slice(0, 1) ?? []), ...syntax.lineComments].map(escapeForRegExp);
  const others = syntax.hasTags
    ? ['<[/!?]?[\\p{L}_][\\w:.-]*', `["'>]`, '&#?\\w{1,32};']
    : [
        `[${syntax.quotes}${syntax.hasTemplates ? '`{}' : ''}${syntax.hasRegExps ? '/' : ''}]`,
        '\\d[\\w.]*',
        `[\\p{L}_$][\\p{L}\\p{M}\\p{N}_$${syntax.hasHyphens ? '-' : ''}]*`,
      ];
  return new RegExp([...comments, ...others].join('|'), 'gu');
}

function escapeForRegExp(text: string): string {
  return text.replace(/[/*]/g, '\\$&');
}
