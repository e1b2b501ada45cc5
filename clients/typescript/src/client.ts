import { accountMethods, keyMethods } from './account.js';
import { analyticsMethods } from './analytics.js';
import type { Answer } from './answers.js';
import { createCall } from './call.js';
import { folderMethods, tagMethods, utmTemplateMethods } from './collections.js';
import { domainMethods } from './domains.js';
import { importMethods } from './imports.js';
import { mediaMethods } from './media.js';
import type { Query, ResolvedVisit } from './operation-types.js';
import { operatorMethods } from './operators.js';
import type { Form } from './read-answer.js';
import { sessionMethods } from './session.js';
import { type CallOptions, type ClientOptions, readSettings } from './settings.js';
import { smartlinkMethods } from './smartlinks.js';
import { webhookMethods } from './webhooks.js';

// The only entry: everything that a program may use of this package is exported here.
export { isSmartlinkError } from './errors.js';
export type {
  SmartlinkAbortError,
  SmartlinkAnswerError,
  SmartlinkApiError,
  SmartlinkError,
  SmartlinkNetworkError,
  SmartlinkTimeoutError,
} from './errors.js';
export type {
  Account,
  ApiKey,
  ApiKeyChanges,
  ApiKeyCreate,
  AuditEntry,
  AuditFilter,
  CreatedApiKey,
  Invitation,
  Member,
  Role,
} from './account.js';
export type { CheckedImport, Import, ImportFormat } from './imports.js';
export type { Domain, DomainChanges, DomainCreate } from './domains.js';
export type { Media } from './media.js';
export type {
  AccountAnalyticsQuery,
  AnalyticsQuery,
  BreakdownQuery,
  PressesQuery,
  RealtimeQuery,
} from './analytics.js';
export type { Answer, Page, PageQuery, PageSize, VersionedAnswer } from './answers.js';
export type {
  Analytics,
  AnalyticsCounts,
  Breakdown,
  CreatedWebhook,
  ErrorCode,
  Fault,
  Folder,
  UtmTemplate,
  OperationId,
  Presses,
  Realtime,
  ResolvedVisit,
  RotatedWebhook,
  Smartlink,
  SmartlinkAnalytics,
  SmartlinkChanges,
  SmartlinkCounts,
  SmartlinkCreate,
  SmartlinkOf,
  SmartlinkSummary,
  SmartlinkStatus,
  SmartlinkType,
  Summary,
  Tag,
  Webhook,
  WebhookDelivery,
} from './operation-types.js';
export type { RateLimit } from './read-answer.js';
export type { OneTimeLink, Session, SessionDevice } from './session-operations.js';
export type { CallOptions, ClientOptions, Environment } from './settings.js';
export type {
  BulkOperation,
  BulkResult,
  CreateOptions,
  Draft,
  ListFilter,
  UpdateOptions,
} from './smartlinks.js';
export type {
  FolderChanges,
  FolderCreate,
  TagChanges,
  TagCreate,
  TagFilter,
  UtmTemplateChanges,
  UtmTemplateCreate,
} from './collections.js';
export type {
  AccountChanges,
  AccountCreate,
  AddressFilter,
  HealthCheck,
  OperatedAccount,
  Person,
  PersonChanges,
  PersonCreate,
  Plan,
  PlanChanges,
  QueuedSmartlink,
  QueueFilter,
  SafetyVerdict,
} from './operators.js';
export type { DeliveryFilter, WebhookChanges, WebhookCreate } from './webhooks.js';

export type QrQuery = Omit<Query<'drawQrCode'>, 'id' | 'format'>;
export type VisitorQuery = Omit<Query<'resolveVisit'>, 'id'>;

export type SmartlinkClient = ReturnType<typeof createSmartlinkClient>;

const SVG: Form<string> = { read: 'text', mediaType: 'image/svg+xml' };
const PNG: Form<Uint8Array> = { read: 'bytes', mediaType: 'image/png' };
const DOCUMENT: Form<Readonly<Record<string, unknown>>> = { read: 'json', mediaType: 'application/json' };

/**
 * A client of the Smartlink API with one key, or with the session of the person who is signed in in the browser. Its methods
 * resolve to `{ data, … }` and reject with a SmartlinkError, which `isSmartlinkError` recognises. Throws TypeError on
 * invalid options.
 */
export function createSmartlinkClient(options: ClientOptions) {
  const call = createCall(readSettings(options));
  return {
    /** Resolves when the key is valid; otherwise rejects with UNAUTHORIZED. */
    validate: (options?: CallOptions): Promise<Answer<null>> => call('validateKey', {}, options),

    smartlinks: smartlinkMethods(call),

    tags: tagMethods(call),

    folders: folderMethods(call),

    utmTemplates: utmTemplateMethods(call),

    domains: domainMethods(call),

    webhooks: webhookMethods(call),

    imports: importMethods(call),

    session: sessionMethods(call),

    media: mediaMethods(call),

    account: accountMethods(call),

    keys: keyMethods(call),

    admin: operatorMethods(call),

    analytics: analyticsMethods(call),

    qr: {
      /** The QR code of a smartlink as SVG text. */
      svg: (id: string, query?: QrQuery, options?: CallOptions): Promise<Answer<string>> =>
        call('drawQrCode', { query: { ...query, id, format: 'svg' } }, options, SVG),

      /** The QR code of a smartlink as PNG bytes. */
      png: (id: string, query?: QrQuery, options?: CallOptions): Promise<Answer<Uint8Array>> =>
        call('drawQrCode', { query: { ...query, id, format: 'png' } }, options, PNG),
    },

    /** What a visitor would get at the smartlink's address. Nothing is counted. */
    resolve: (id: string, visitor?: VisitorQuery, options?: CallOptions): Promise<Answer<ResolvedVisit>> =>
      call('resolveVisit', { query: { ...visitor, id } }, options),

    /** The OpenAPI document of the API. */
    reference: (options?: CallOptions): Promise<Answer<Readonly<Record<string, unknown>>>> =>
      call('readReference', {}, options, DOCUMENT),
  };
}
