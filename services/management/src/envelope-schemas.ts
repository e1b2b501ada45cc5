import { z } from 'zod';

/** The time in all examples. */
export const EXAMPLE_TIME = '2026-03-10T12:00:00.000Z';
/** The smartlink in all examples. */
export const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';
/** Its owner. */
export const EXAMPLE_USER_ID = '4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a10';

/** Returns the schema of a time in answers: UTC with milliseconds (decisions.md, HTTP and errors). */
export function timestamp(description = 'When it was answered, in UTC.') {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description, format: 'date-time', example: EXAMPLE_TIME });
}

/** Returns the schema of a success with `data` (management-api.md, Response envelope). */
export function successSchema(data: z.ZodType) {
  return z.strictObject({
    success: z.literal(true),
    message: z.string().meta({ description: 'What was done, for people.' }),
    data,
    timestamp: timestamp(),
  });
}
