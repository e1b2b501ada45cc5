import type { Fault } from '@smartlink/smartlink/validation';
import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Returns what the route does, for the API's reference; every route under /api/v1 has one. It is called once, when
     * the reference is first asked for.
     */
    operation?: () => Operation;
  }
}

export type Tag = 'Smartlinks' | 'Analytics' | 'QR codes' | 'Webhooks' | 'Account' | 'Reference';

/** What the API's reference says of one method of one path. Texts are Markdown. */
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: Tag;
  /** False where no key is needed. */
  readonly needsKey: boolean;
  /** The schemas that check the query and the body; `.meta` of a member is what the reference says of it. */
  readonly query?: z.ZodObject;
  /** The request headers beside Authorization; If-Match and If-None-Match are lists, which code of their own reads. */
  readonly headers?: z.ZodObject;
  readonly body?: { readonly schema: z.ZodType; readonly examples: Examples };
  readonly success: Success;
  /**
   * The refusals beyond those that every operation has. Examples by name; with none the code's usual message is the
   * example.
   */
  readonly errors: Partial<Record<ErrorCode, Readonly<Record<string, ErrorExample>>>>;
};

export type Success = {
  readonly status: 200 | 201;
  readonly description: string;
  /** Response headers beside those that every answer has, by their names in response-headers.ts. */
  readonly headers?: readonly string[];
  /** `data` of the success envelope, with examples of `message` and `data`. */
  readonly data?: { readonly schema: z.ZodType; readonly examples: Readonly<Record<string, DataExample>> };
  /** Answers that are not in the envelope, by media type. */
  readonly otherContent?: Readonly<
    Record<string, { readonly schema: z.ZodType; readonly examples: Examples }>
  >;
  /** True where If-None-Match is answered with 304. */
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
