import { z } from 'zod';

// The kinds of field that several queries have. A parameter is a string, or an array where it was given twice.

/** What is told of a parameter that stands in a query more than once. */
export const GIVEN_TWICE = 'Must be given once';

/** A parameter that holds text. */
export function textField() {
  return z.string(GIVEN_TWICE);
}

/** A whole number from `min` to `max`, in decimal digits without a sign or leading zeros. */
export function wholeNumberField(min: number, max: number) {
  return textField()
    .refine(
      (text) => /^(?:0|[1-9][0-9]{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max,
      `Must be a whole number from ${min} to ${max}`,
    )
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number);
}
