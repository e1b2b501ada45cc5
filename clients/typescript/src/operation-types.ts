import type { components, operations } from './generated/api.js';
import type { OPERATIONS } from './generated/operations.js';
import type { SESSION_ERRORS, SessionOperations } from './session-operations.js';

// The types of the methods, derived from the OpenAPI document: a changed operation changes its method.

type DocumentedId = keyof typeof OPERATIONS & keyof operations;
type SessionId = keyof SessionOperations;
export type OperationId = DocumentedId | SessionId;

type Schemas = components['schemas'];

/** The query of an operation; never without one. Undefined members are not sent. */
export type Query<Id extends OperationId> = Id extends DocumentedId
  ? OrUndefined<NonNullable<operations[Id]['parameters']['query']>>
  : never;

type OrUndefined<T> = { [Name in keyof T]: T[Name] | undefined };

/** The JSON body of an operation's request; never without one. */
export type Body<Id extends OperationId> = Id extends SessionId
  ? SessionOperations[Id]['body']
  : Id extends DocumentedId
    ? operations[Id] extends { requestBody: { content: { 'application/json': infer Json } } }
      ? Json
      : never
    : never;

type SuccessContent<Id extends DocumentedId> = operations[Id]['responses'] extends
  | { 200: { content: infer Content } }
  | { 201: { content: infer Content } }
  | { 202: { content: infer Content } }
  ? Content
  : never;

/** `data` of an operation's success; never without the envelope. */
export type Data<Id extends OperationId> = Id extends SessionId
  ? SessionOperations[Id]['data']
  : Id extends DocumentedId
    ? SuccessContent<Id> extends { 'application/json': { data: infer Payload } }
      ? Payload
      : never
    : never;

/** A smartlink in answers; narrow it by `type`. */
export type Smartlink = Schemas['Smartlink'];
/** A smartlink without its content. */
export type SmartlinkSummary = Schemas['SmartlinkSummary'];
export type SmartlinkType = Smartlink['type'];
export type SmartlinkStatus = Smartlink['status'];
/** The smartlink of one type. */
export type SmartlinkOf<Type extends SmartlinkType> = Extract<Smartlink, { readonly type: Type }>;

type CreateBodies = { readonly [Type in SmartlinkType]: Schemas[`${Type}Create`] };

/**
 * The body of a create. TypeScript infers the type from the first part and checks the rest against the second, including
 * members that the type does not have.
 */
export type SmartlinkCreate<Type extends SmartlinkType = SmartlinkType> = {
  readonly configuration: { readonly smartlinkType: Type };
} & CreateBodies[Type];

/** The members an update may change. The document allows others, but here a misspelt member is an error. */
export type SmartlinkChanges = Omit<KnownMembers<Schemas['SmartlinkUpdate']>, 'id'>;

type KnownMembers<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

export type SmartlinkAnalytics = Schemas['SmartlinkAnalytics'];
export type SmartlinkCounts = Schemas['SmartlinkCounts'];
export type Analytics = Schemas['Analytics'];
export type AnalyticsCounts = Schemas['AnalyticsCounts'];
export type Breakdown = Schemas['Breakdown'];
export type Presses = Schemas['Presses'];
export type Realtime = Schemas['Realtime'];
export type Summary = Schemas['Summary'];
export type ResolvedVisit = Schemas['ResolvedVisit'];
export type Tag = Schemas['Tag'];
export type Folder = Schemas['Folder'];
export type UtmTemplate = Schemas['UtmTemplate'];
export type Webhook = Schemas['Webhook'];
export type CreatedWebhook = Schemas['CreatedWebhook'];
export type RotatedWebhook = Schemas['RotatedWebhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
/** One fault of a request: its dotted path, and a message for people. */
export type Fault = Schemas['Fault'];

type Failure = Schemas[Extract<keyof Schemas, `${string}Failure`>];
/** Every error code of the API. */
export type ErrorCode = Failure['error']['code'] | keyof typeof SESSION_ERRORS;
/** `details` of a failure; undefined for codes without details. */
export type DetailsOf<Code extends ErrorCode> = Extract<
  Failure,
  { readonly error: { readonly code: Code } }
>['error'] extends {
  readonly details: infer Details;
}
  ? Details
  : undefined;
