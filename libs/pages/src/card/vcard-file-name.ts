/** What a file is called in Content-Disposition. */
export type FileName = {
  /** For `filename="…"`: letters, digits, `-` and `.` of ASCII. */
  readonly fileName: string;
  /** For `filename*=…`, as RFC 8187 has it, `UTF-8''` included. */
  readonly fileNameUtf8: string;
};

// A name on disk has at most 255 bytes, and a code point takes up to 4.
const LENGTH_MAX = 60;

/**
 * Returns what the file of a contact is called, for browsers that read RFC 8187 and for those that do not. `slug` is
 * the name where letters cannot be told in ASCII.
 */
export function fileNameOf(name: string, slug: string): FileName {
  const readable = cut(
    name
      // Separators of paths, what Windows refuses in names, and what cannot be seen: among it the marks that turn the
      // direction of text and so hide a file's real ending.
      .replace(/[/\\:*?"<>|\p{C}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+/, ''),
  ).replace(/[. ]+$/, '');
  return {
    fileName: `${asciiOf(readable) ?? slug}.vcf`,
    fileNameUtf8: `UTF-8''${encode(`${readable === '' ? slug : readable}.vcf`)}`,
  };
}

// Latin letters that are no other letter with a mark.
const LETTERS: Readonly<Record<string, string>> = {
  ə: 'e',
  Ə: 'E',
  ı: 'i',
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  æ: 'ae',
  Æ: 'AE',
};

/** Null when letters of other scripts are left. */
function asciiOf(name: string): string | null {
  const latin = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[əƏıßøØłŁæÆ]/g, (letter) => LETTERS[letter] ?? '');
  if (/(?![a-z])\p{L}/iu.test(latin)) return null;
  const words = cut(latin.replace(/[^a-z0-9]+/gi, '-')).replace(/^-|-$/g, '');
  return words === '' ? null : words;
}

function cut(text: string): string {
  return Array.from(text).slice(0, LENGTH_MAX).join('');
}

// `'`, `(`, `)` and `*` are left alone by encodeURIComponent and no characters of RFC 8187.
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
