import type { Answer } from './answers.js';
import { createCall } from './call.js';
import type { Query, ResolvedVisit, SmartlinkAnalytics, Summary } from './operation-types.js';
import type { Form } from './read-answer.js';
import { readSettings } from './settings.js';
import type { CallOptions, ClientOptions } from './settings.js';
import { smartlinkMethods } from './smartlinks.js';
import { webhookMethods } from './webhooks.js';

// The one way in: everything that a program may use of this package is named here.
export { isSmartlinkError } from './errors.js';
export type {
  SmartlinkAbortError,
  SmartlinkAnswerError,
  SmartlinkApiError,
  SmartlinkError,
  SmartlinkNetworkError,
  SmartlinkTimeoutError,
} from './errors.js';
export type { Answer, Page, VersionedAnswer } from './answers.js';
export type {
  CreatedWebhook,
  ErrorCode,
  Fault,
  OperationId,
  ResolvedVisit,
  RotatedWebhook,
  Smartlink,
  SmartlinkAnalytics,
  SmartlinkChanges,
  SmartlinkCreate,
  SmartlinkOf,
  SmartlinkStatus,
  SmartlinkType,
  Summary,
  Webhook,
  WebhookDelivery,
} from './operation-types.js';
export type { RateLimit } from './read-answer.js';
export type { CallOptions, ClientOptions, Environment } from './settings.js';
export type { PageQuery, PageSize } from './pagination.js';
export type { BulkOperation, BulkResult, CreateOptions, ListFilter, UpdateOptions } from './smartlinks.js';
export type { DeliveryFilter, WebhookChanges, WebhookCreate } from './webhooks.js';

export type AnalyticsQuery = Omit<Query<'readAnalytics'>, 'id' | 'format'>;
export type QrQuery = Omit<Query<'drawQrCode'>, 'id' | 'format'>;
export type VisitorQuery = Omit<Query<'resolveVisit'>, 'id'>;

/** A client of the Smartlink API, see createSmartlinkClient. */
export type SmartlinkClient = ReturnType<typeof createSmartlinkClient>;

const CSV: Form<string> = { read: 'text', mediaType: 'text/csv' };
const SVG: Form<string> = { read: 'text', mediaType: 'image/svg+xml' };
const PNG: Form<Uint8Array> = { read: 'bytes', mediaType: 'image/png' };
const DOCUMENT: Form<Readonly<Record<string, unknown>>> = { read: 'json', mediaType: 'application/json' };

/**
 * Returns a client of the Smartlink API with one key. Its methods resolve to `{ data, … }` and reject with a
 * SmartlinkError, which `isSmartlinkError` tells from other values. Throws TypeError on options that cannot be meant.
 */
export function createSmartlinkClient(options: ClientOptions) {
  const call = createCall(readSettings(options));
  return {
    /** Resolves when the key is valid; rejects with UNAUTHORIZED when it is not. */
    validate: (options?: CallOptions): Promise<Answer<null>> => call('validateKey', {}, options),

    smartlinks: smartlinkMethods(call),

    webhooks: webhookMethods(call),

    analytics: {
      /** Resolves to the visits of a smartlink: totals over all time, and entries by day or `interval`. */
      get: (id: string, query?: AnalyticsQuery, options?: CallOptions): Promise<Answer<SmartlinkAnalytics>> =>
        call('readAnalytics', { query: { ...query, id } }, options),

      /** Resolves to the same entries as CSV. */
      csv: (id: string, query?: AnalyticsQuery, options?: CallOptions): Promise<Answer<string>> =>
        call('readAnalytics', { query: { ...query, id, format: 'csv' } }, options, CSV),

      /** Resolves to the figures of all Active and Paused smartlinks, and the newest visits. */
      summary: (options?: CallOptions): Promise<Answer<Summary>> => call('readSummary', {}, options),
    },

    qr: {
      /** Resolves to the QR code of a smartlink as the text of an SVG. */
      svg: (id: string, query?: QrQuery, options?: CallOptions): Promise<Answer<string>> =>
        call('drawQrCode', { query: { ...query, id, format: 'svg' } }, options, SVG),

      /** Resolves to the QR code of a smartlink as the bytes of a PNG. */
      png: (id: string, query?: QrQuery, options?: CallOptions): Promise<Answer<Uint8Array>> =>
        call('drawQrCode', { query: { ...query, id, format: 'png' } }, options, PNG),
    },

    /** Resolves to what a visitor would get at the smartlink's address. Nothing is counted. */
    resolve: (id: string, visitor?: VisitorQuery, options?: CallOptions): Promise<Answer<ResolvedVisit>> =>
      call('resolveVisit', { query: { ...visitor, id } }, options),

    /** Resolves to the OpenAPI document of the API. */
    reference: (options?: CallOptions): Promise<Answer<Readonly<Record<string, unknown>>>> =>
      call('readReference', {}, options, DOCUMENT),
  };
}
