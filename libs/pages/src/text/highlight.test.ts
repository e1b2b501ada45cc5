import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { highlight, SYNTAXES, type SyntaxName } from './highlight.js';

const NAMES = Object.keys(SYNTAXES) as SyntaxName[];

/** The coloured pieces of a text: `kind:piece`. */
function piecesOf(text: string, syntax: SyntaxName): string[] {
  return highlight(text, SYNTAXES[syntax]).map(({ kind, start, end }) => `${kind}:${text.slice(start, end)}`);
}

test.each<[SyntaxName, string, string[]]>([
  ['c', `if (a) b = 0x1f; // "no"`, ['keyword:if', 'number:0x1f', 'comment:// "no"']],
  ['c', `x = 'it\\'s' /* if\n1 */ + 2`, [`string:'it\\'s'`, 'comment:/* if\n1 */', 'number:2']],
  [
    'c',
    'a `b ${c ? `d${1}` : 2} e` f',
    ['string:`b ${', 'string:`d${', 'number:1', 'string:}`', 'number:2', 'string:} e`'],
  ],
  ['c', `s.replace(/["'/]/g, "'") / 2`, [`string:/["'/]/g`, `string:"'"`, 'number:2']],
  ['c', `fn f<'a>(x: &'a str) {}`, ['keyword:fn']],
  ['c', `map.delete(x); { type: 1, default: 2 }`, ['number:1', 'keyword:default', 'number:2']],
  [
    'hash',
    `def f(): # it's\n  """a\n"b" """\n  return r'x'`,
    ['keyword:def', "comment:# it's", 'string:"""a\n"b" """', 'keyword:return', "string:'x'"],
  ],
  ['hash', 'echo ${x#y} $# # z', ['keyword:echo', 'comment:# z']],
  ['sql', `SELECT 'it''s' -- x`, ['keyword:SELECT', `string:'it''s'`, 'comment:-- x']],
  ['json', `{"a": "b", "c": [1, null]}`, ['string:"b"', 'number:1', 'keyword:null']],
  [
    'tags',
    `<a b="if>">it's 1</a><!-- "x" -->&amp;`,
    ['keyword:a', 'string:"if>"', 'keyword:a', 'comment:<!-- "x" -->', 'number:&amp;'],
  ],
  [
    'css',
    'a { color: red } /* b */ @media { width: 1.5rem }',
    ['comment:/* b */', 'keyword:media', 'number:1.5rem'],
  ],
  ['ini', '; c\n[a]\nb = true', ['comment:; c', 'keyword:true']],
])('%s: %s', (syntax, text, pieces) => {
  expect(piecesOf(text, syntax)).toEqual(pieces);
});

test.each<[SyntaxName, string]>([
  ['c', '"open'],
  ['c', "don't"],
  ['c', '/* open'],
  ['c', '`open'],
  ['c', 'a / b / c'],
  ['hash', '"""open'],
  ['tags', '<!-- open'],
])('unclosed strings and comments are not coloured: %s, %s', (syntax, text) => {
  expect(piecesOf(text, syntax)).toEqual([]);
});

test('pieces are in order, do not overlap and are never empty, for every text', () => {
  const text = fc.string({
    unit: fc.constantFrom(...Array.from('ab1 \n\r\t"\'`/*#-<>!&;:.=()[]{}$\\é\u202e')),
    maxLength: 200,
  });
  fc.assert(
    fc.property(text, fc.constantFrom(...NAMES), (value, name) => {
      let last = 0;
      for (const { start, end } of highlight(value, SYNTAXES[name])) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(value.length);
    }),
    { numRuns: trialSize(300, 5_000) },
  );
});

const NASTY = [
  '"', "'", '`', '/', '\\', '/*', '*/', '"\\', "'\\", '\\"', '=/[', '=/\\/', '`${', '`${{', '{', '}', '[', '(', '<', '<a "', "<a '",
  '<!--', '--', '#', ' #', '"""', "'''", '""', "''", '&', '&#', '1.', '.1', 'a', "a'", "<'a", ' ', '\t', '\n', '\r', '\r\n', '/ ', '😀', 'é', '\u0301',
]; // prettier-ignore

test('takes linear time, also for hostile texts', () => {
  for (const unit of NASTY) {
    for (const name of NAMES) {
      const short = countReads(unit.repeat(30), name);
      const long = countReads(unit.repeat(300), name);
      // In proportion: backtracking or rescanning would grow a hundredfold.
      expect(long, `${JSON.stringify(unit)} as ${name}`).toBeLessThanOrEqual(12 * short + 50);
    }
  }
});

/**
 * How many characters are read by index, sliced or searched through. What regular expressions read is not
 * counted: each takes a run of one class of characters, and gives none of it back.
 */
function countReads(text: string, name: SyntaxName): number {
  let reads = 0;
  const source = Object(text) as string;
  const counted = new Proxy(source as unknown as object, {
    get(_, key) {
      if (typeof key === 'string' && /^-?\d+$/.test(key)) {
        reads += 1;
        return text[Number(key)];
      }
      const value = (text as unknown as Record<PropertyKey, unknown>)[key];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, text, args);
        if (key === 'indexOf') {
          reads += (result === -1 ? text.length : (result as number)) - Number(args[1]) + 1;
        } else reads += 1;
        return result;
      };
    },
  });
  highlight(counted as unknown as string, SYNTAXES[name]);
  return reads;
}
