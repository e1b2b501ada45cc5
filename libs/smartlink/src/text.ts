import { z } from 'zod';
import { mustBe } from './must-be.js';

// Control characters, line and paragraph separators. Tab is among them: a one-line field holds none of these.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
// The same, but tab, line feed and carriage return may stand.
const CONTROL_BUT_LAYOUT = /(?![\t\n\r])\p{Cc}/u;
// Something a reader can see: neither white space nor control, format (zero width, bidi), filler or unassigned.
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0]|\u034f)[^\s\p{C}]/u;

/** Returns the length of `text` in Unicode code points, the unit of every limit (decisions.md, Lengths). */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const isHighSurrogate = code >= 0xd800 && code < 0xdc00;
    if (isHighSurrogate && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i += 1;
    count += 1;
  }
  return count;
}

/** A string of one line with at most `max` code points. `required`: at least one of them visible. */
export function oneLineText(max: number, required: 'required' | 'optional' = 'optional'): z.ZodString {
  const text = limitedText(max).refine(
    (value) => !CONTROL.test(value),
    'Must not contain line breaks or control characters',
  );
  return required === 'required' ? visible(text) : text;
}

/** As oneLineText, with tabs and line breaks allowed. */
export function multiLineText(max: number, required: 'required' | 'optional' = 'optional'): z.ZodString {
  const text = limitedText(max).refine(
    (value) => !CONTROL_BUT_LAYOUT.test(value),
    'Must not contain control characters',
  );
  return required === 'required' ? visible(text) : text;
}

/** Text that is kept as it is, terminal codes and all, with at least one visible of at most `max` code points. */
export function snippetText(max: number): z.ZodString {
  // Postgres cannot hold a NUL in jsonb.
  return visible(limitedText(max).refine((value) => !value.includes('\0'), 'Must not contain NUL'));
}

function visible(text: z.ZodString): z.ZodString {
  return text.refine((value) => VISIBLE.test(value), 'Must not be empty').meta({ minLength: 1 });
}

function limitedText(max: number): z.ZodString {
  return (
    z
      .string(mustBe('a string'))
      .refine((value) => countCodePoints(value) <= max, `Must be at most ${max} characters`)
      // A lone surrogate is no text: Postgres refuses it in jsonb, and no UTF-8 can carry it.
      .refine((value) => value.isWellFormed(), 'Must be well-formed Unicode')
      // JSON Schema counts in code points too.
      .meta({ maxLength: max })
  );
}
