import { z } from 'zod';
import type { Fault } from '@smartlink/smartlink/document';
import type { Access } from './accounts/roles.js';
import type { ErrorCode } from './errors.js';
import { IGNORED_MAX } from './ignored-input.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the API reference; every route under /api/v1 has one. Called once, when the reference is first requested. */
    operation?: () => Operation;
  }
}

export type Tag =
  | 'Smartlinks'
  | 'Tags and folders'
  | 'Media'
  | 'Domains'
  | 'Analytics'
  | 'QR codes'
  | 'Import and export'
  | 'Webhooks'
  | 'Account'
  | 'Operators'
  | 'Reference';

/** One method of one path in the API reference. Texts are Markdown. */
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: Tag;
  /** It needs no key. */
  readonly isPublic?: boolean;
  /** The schemas that check the query and the body; `.meta` holds their documentation. */
  readonly query?: z.ZodObject;
  /** The request headers besides Authorization, for documentation only. */
  readonly headers?: z.ZodObject;
  readonly body?: { readonly schema: z.ZodType; readonly examples: Examples };
  /** The media types of a file in place of `body`. */
  readonly upload?: readonly string[];
  readonly success: Success;
  /** Refusals besides those of every operation. Without examples, the code's usual message is the example. */
  readonly errors: Partial<Record<ErrorCode, Readonly<Record<string, ErrorExample>>>>;
};

export type ApiRoute = {
  readonly method: string;
  readonly path: string;
  readonly operation: (() => Operation) | undefined;
  readonly access: Access | undefined;
};

export type Success = {
  readonly status: 200 | 201;
  readonly description: string;
  /** Response headers besides those of every answer, by their names in document-texts.ts. */
  readonly headers?: readonly string[];
  /** `data` of the success envelope, with examples of `message` and `data`. */
  readonly data?: { readonly schema: z.ZodType; readonly examples: Readonly<Record<string, DataExample>> };
  /** Answers that are not in the envelope, by media type. */
  readonly otherContent?: Readonly<
    Record<string, { readonly schema: z.ZodType; readonly examples: Examples }>
  >;
  /** If-None-Match is answered with 304. */
  readonly isRevalidated?: boolean;
};

export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

export type DataExample = {
  readonly summary: string;
  readonly message: string;
  readonly data: unknown;
};

export type ErrorExample = {
  readonly summary: string;
  readonly message?: string;
  readonly details?: readonly Fault[];
};

/** In all examples. */
export const EXAMPLE_TIME = '2026-03-10T12:00:00.000Z';
export const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';
export const EXAMPLE_USER_ID = '4d2f6a52-8c1b-4f5e-9a35-0e6f7c8b9a10';

/** UTC with milliseconds. */
export function timestamp(description = 'Time of the answer, in UTC.') {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description, format: 'date-time', example: EXAMPLE_TIME });
}

export function successSchema(data: z.ZodType) {
  return z.strictObject({
    success: z.literal(true),
    message: z.string().meta({ description: 'What was done, for human readers.' }),
    data,
    timestamp: timestamp(),
    ignored: ignoredSchema,
  });
}

/** `ignored` of both envelopes. */
export const ignoredSchema = z
  .array(z.string())
  .min(1)
  .max(IGNORED_MAX)
  .meta({
    id: 'Ignored',
    description:
      'Paths of members of the body, and parameters of the query with a leading `?`, that the service does not know and ' +
      'ignored; the first 20. Absent if there are none.',
    example: ['status', 'shortener.expiresAt', '?slug'],
  })
  .optional();

/** Calls `make` once, on the first call, and keeps its result. */
export function onFirstCall<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
