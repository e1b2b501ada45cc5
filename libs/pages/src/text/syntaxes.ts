/** How a family of languages writes what is coloured: comments, strings, numbers and keywords. */
export type Syntax = {
  /** What begins a comment that ends with its line. */
  readonly lineComments: readonly string[];
  /** Whether such a comment begins only a line or after white space, as `#` in `${x#y}` does not. */
  readonly isCommentSpaced: boolean;
  /** What begins and what ends a comment of several lines; null: there is none. */
  readonly blockComment: readonly [string, string] | null;
  /** Quotes of strings that end on their line. */
  readonly quotes: string;
  /** What stands before a quote that does not end its string: a backslash, or the quote itself. */
  readonly quoteEscape: 'backslash' | 'quote';
  /** Whether three quotes begin a string of several lines. */
  readonly hasTripleQuotes: boolean;
  /** Whether a backquote begins a string of several lines with `${code}` in it. */
  readonly hasTemplates: boolean;
  readonly hasRegExps: boolean;
  /** What is a name, and left as it is, where a colon follows. */
  readonly namesBeforeColon: 'none' | 'words' | 'strings';
  /** Whether only what stands in `<tags>` is coloured. */
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
 * The syntaxes there are. Each stands for a family: what is not told apart here looks alike when it is coloured.
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
