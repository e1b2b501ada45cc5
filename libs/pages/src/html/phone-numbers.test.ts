import { expect, test } from 'vitest';
import { keepPhoneNumbers, markup } from './markup.js';

test('a phone number between words from right to left stays in one piece', () => {
  const shown = (text: string) => markup`${keepPhoneNumbers(text)}`.toString();
  expect(shown('اتصل بنا: +994 12 555 01 34 <الآن>')).toBe(
    'اتصل بنا: <bdi dir="ltr">+994 12 555 01 34</bdi> &lt;الآن&gt;',
  );
  expect(shown('חייגו (03) 555-0134')).toBe('חייגו <bdi dir="ltr">(03) 555-0134</bdi>');
  for (const text of ['Call +994 12 555 01 34', 'خصم 20 من 12:30', 'שולחן 7', ''])
    expect(shown(text)).toBe(text);
});
