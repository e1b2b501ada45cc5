import type { SyntaxName } from './highlight.js';

/** Kind of a text, by its content. */
export type TextNature = {
  /** Its family of languages; null if it is not certainly code. */
  readonly syntax: SyntaxName | null;
  /**
   * - `code`: lines that stay as they are
   * - `wide`: the same, but so long that they are broken
   * - `prose`: sentences
   */
  readonly layout: 'code' | 'wide' | 'prose';
};

// A sample is enough, and keeps the work small whatever the text is.
const SAMPLE_LENGTH = 40_000;
const SAMPLE_LINES = 400;
const SAMPLE_LINE_LENGTH = 200;

// Lines of prose have fewer of the marks of code, lines of code are shorter.
const CODE_MARKS_SHARE = 0.03;
const CODE_MARKS_MIN = 4;

const FENCE = /^[ \t]*(?:```|~~~)/m;
const LINE_LENGTH_MAX = 120;

/** Recognises a text by its content; in doubt it has no syntax, so that plain text is not coloured. */
export function recognize(text: string): TextNature {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const lines = linesOf(sample);
  const excerpt = linesOf(sample.replace(LONG_COMMENTS, '')).slice(0, SAMPLE_LINES);
  const syntax = recognizeSyntax(text, excerpt);
  const isWide = sample.length / lines.length > LINE_LENGTH_MAX;
  if (syntax !== null) return { syntax, layout: isWide ? 'wide' : 'code' };
  // Markdown with code in it: both its paragraphs and its columns count.
  if (FENCE.test(sample)) return { syntax, layout: 'wide' };
  const isProse = !isTabular(lines) && isProseLike(sample);
  return { syntax, layout: isProse ? 'prose' : isWide ? 'wide' : 'code' };
}

// Comments of several lines and Python's strings in their place: whole licences, which are sentences.
const LONG_COMMENTS = /^[ \t]*(?:\/\*[^]*?(?:\*\/|$(?![^]))|"""[^]*?(?:"""|$(?![^])))/gm;

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, SAMPLE_LINE_LENGTH));
}

function recognizeSyntax(text: string, lines: readonly string[]): SyntaxName | null {
  if (isJson(text)) return 'json';
  // Markdown may hold anything.
  if (lines.some((line) => FENCE.test(line))) return null;
  const start = lines[0] ?? '';
  if (/^\s*<(?:!doctype\s|!--|\?xml\s|[a-z][\w:-]*(?:\s[^<>]*)?\/?>)/i.test(start)) return 'tags';
  if (/^\s*<\?php\b/.test(start)) return 'c';
  if (start.startsWith('#!')) return /\bnode\b|\bdeno\b|\bbun\b/.test(start) ? 'c' : 'hash';
  // Comments prove little: `#` also begins headings and hashtags.
  const code = lines.filter((line) => !/^\s*(?:#(?![!\w])|\/\/|--(?!-)|;|\/?\*)/.test(line));
  if (code.length === 0) return null;
  return EVIDENCE.find((evidence) => isEvident(evidence, code))?.syntax ?? null;
}

type Evidence = {
  readonly syntax: SyntaxName;
  /** A frequent line of this syntax. */
  readonly line: RegExp;
  /** At least one line must match, if other syntaxes have similar lines. */
  readonly proof: RegExp;
  /** Lines of other texts: one in six is too many. */
  readonly counterproof?: RegExp;
  /** Number of lines that must match. */
  readonly share: number;
};

function isEvident({ line, proof, counterproof, share }: Evidence, lines: readonly string[]): boolean {
  const count = (pattern: RegExp) => lines.filter((each) => pattern.test(each)).length;
  if (counterproof !== undefined && count(counterproof) > lines.length / 6) return false;
  return count(line) >= lines.length * share && count(proof) > 0;
}

// The first match counts, so the most reliable ones come first.
const EVIDENCE: readonly Evidence[] = [
  {
    syntax: 'css',
    line: /^\s*(?:[a-z-]+\s*:[^;{}]+;?|[^;]*\{|\}|@[a-z-]+ .*;)\s*$/,
    proof:
      /^\s*(?:background|border|color|display|flex|font|gap|grid|height|margin|padding|position|width|--\w)[\w-]*\s*:/,
    share: 0.8,
  },
  {
    syntax: 'sql',
    line: /^\s*(?:select|insert|update|delete|create|alter|drop|from|where|(?:left |inner |right |cross )?join|group by|order by|having|limit|union|values|with|set|on|and|or|returning|returns?|as|language|comment on|grant|revoke|case|when|else|end|begin|commit)\b|[,;(]\s*$|^\s*\)/i,
    proof:
      /^\s*(?:select\s+(?:\*|[\w.(*)"]+\s*,|.*\bfrom\b|distinct\b|count\(|\w+\s*$)|insert into \w|(?:create|alter|drop) (?:or replace |unique |temp |materialized )?(?:table|index|view|function|procedure|type|database|schema|extension|operator|aggregate|sequence|trigger|role|policy|domain)\s+\w|update \w+ set\b|delete from \w|with \w+ as\b)/i,
    share: 0.6,
  },
  {
    syntax: 'ini',
    line: /^\s*(?:\[+["\w.: /-]+\]+|[\w.-]+\s*=.*|(?:["'].*)?[\]}],?|["'].*,?)\s*$/,
    proof: /^\[+["\w.: /-]+\]+\s*$|^(?:export )?[A-Z][A-Z0-9]*_[A-Z0-9_]*=/,
    share: 0.9,
  },
  {
    syntax: 'yaml',
    line: /^\s*(?:- )*["']?[\w./@*-]+["']?:(?:\s|$)|^\s*- \S|^---\s*$/,
    counterproof: /[;({]\s*$|^\s*(?:def|class|return|import|const|if|for)\b/,
    proof: /^---\s*$|^ +(?:- )?[a-z][\w.-]*:(?:\s|$)/,
    share: 0.75,
  },
  {
    syntax: 'hash',
    line: /^\s*(?:def|class|if|elif|else|for|while|with|try|except|finally|async def)\b.*:\s*(?:#.*)?$|^\s*(?:import [\w.]+(?: as \w+)?(?:, *[\w.]+)*|from [\w.]+ import .+)$|^\s*@\w[\w.]*(?:\(.*\))?$|^\s*[\w.[\]'"]+(?:: ?[\w[\], .|]+)? [-+*/|&]?= \S|^\s*(?:return|yield|raise|pass|break|continue|await|assert)\b[^;]*$|^\s*[\w.]+\(.*\)?$|^\s*(?:fi|done|esac|then|else|do|end)$|^\s*(?:if|for|while|case) .*(?:; ?(?:then|do)| in)$|^\s*(?:def|module|class|require|include|attr_\w+|puts) [\w:'"./<, ]+(?:\(.*\))?$|\bdo \|\w.*\|$|^\s*(?:export )?[A-Za-z_]\w*=\S|^\s*(?:\$ |sudo |echo |cd |apt(?:-get)? |npm |git |curl |wget |mkdir |docker |rm |cp |mv |chmod |set -|exit \d|local |pip |export |source )|\s\\$|^\s*[)\]}]+,?$|^(?:FROM|RUN|COPY|CMD|ENTRYPOINT|WORKDIR|ENV|EXPOSE|ARG|USER) \S|^\s+--?\w|^\s*["'].*["'],?$/,
    proof:
      /^\s*(?:def |class \w+.*:$|import [\w.]+(?: as \w+)?$|from [\w.]+ import |fi$|done$|esac$|(?:if|for|while) .*(?:; ?(?:then|do)|:)$|print\(|return\b|@\w+|require ['"]|puts |\$ \w|(?:sudo|echo|cd|apt|apt-get|npm|git|curl|wget|mkdir|docker|rm|cp|chmod|pip) \S|(?:export )?[A-Z_]+=\S|\w+ = )|^(?:FROM|RUN) \S/,
    counterproof:
      /[;{]\s*$|^\s*\}[,;)]*\s*$|=> |^\s*(?:const|let|var|function|export (?:const|function|class|default|type))\b/,
    share: 0.4,
  },
  {
    syntax: 'c',
    line: /[;{}](?:\s*\/[/*].*)?$|^\s*#\s*(?:include|define|undef|if|ifn?def|else|elif|endif|pragma)\b|^\s*[}\])]+[,;)]*$|=>|^\s*(?:import|export|const|let|var|function|class|interface|public|private|protected|package|func|fn|use|using|namespace|struct|if|for|while|switch|case|return|throw|await)\b.*[(){}[\]=;:"'<>]|[(,[|&?:=+]$|^\s*[.)\]]|^\s*\w+\(.*\)$|^\s*[\w."'$]+ ?[:=] ?\S.*,?$/,
    proof:
      /[;{}](?:\s*\/[/*].*)?$|^\s*(?:const|let|var) [\w{[]|=> |^\s*(?:#\s*(?:include [<"]|define \w|ifn?def \w)|import .* from ['"]|func \w|fn \w|package [\w.]+$|console\.\w)/,
    // Verse: words that begin with a capital and end with a semicolon.
    counterproof: /^\s*\p{Lu}\p{L}*(?: [\p{L}'’,-]+){2,}[.,;:!?]?$/u,
    share: 0.5,
  },
];

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether lines mean something by where their parts stand: tables, logs, drawings. */
function isTabular(lines: readonly string[]): boolean {
  const aligned = lines.filter((line) =>
    /\S {3,}\S|\S\t|[│─┌┐└┘├┤═║█▀▄░▒▓]|^\s*[|+]|^\W*\d{2,4}[-:/.]\d\d/.test(line),
  );
  return aligned.length > lines.length * 0.3;
}

function isProseLike(text: string): boolean {
  const marks = text.match(/[{}();=<>]/g)?.length ?? 0;
  // Keys and digests, whose letters must be distinguishable.
  const unbroken = text.match(/[!-~]{30,}/g)?.join('').length ?? 0;
  return marks < Math.max(text.length * CODE_MARKS_SHARE, CODE_MARKS_MIN) && unbroken < text.length * 0.3;
}
