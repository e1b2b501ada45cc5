import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type { Body, Data, Query } from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type Account = Data<'readAccount'>;
export type Member = Data<'listMembers'>[number];
export type Role = Member['role'];
export type Invitation = Data<'createInvitation'>;
export type AuditEntry = Data<'listChanges'>[number];
export type AuditFilter = Omit<Query<'listChanges'>, 'limit' | 'cursor'>;
export type ApiKey = Data<'listKeys'>[number];
/** A key with its secret, which no other answer holds. */
export type CreatedApiKey = Data<'createKey'>;
export type ApiKeyCreate = Body<'createKey'>;
export type ApiKeyChanges = Omit<Body<'updateKey'>, 'id'>;

/** The account in use; for signed-in people. */
export function accountMethods(call: Call) {
  const changes = (query?: AuditFilter & PageQuery, options?: CallOptions): Promise<Page<AuditEntry>> =>
    call('listChanges', { query }, options, listOf<AuditEntry>());

  return {
    /** The account, its plan and its use. */
    get: (options?: CallOptions): Promise<Answer<Account>> => call('readAccount', {}, options),

    /** Changes the display name; null restores the e-mail address. */
    rename: (name: string | null, options?: CallOptions): Promise<Answer<Account>> =>
      call('updateAccount', { body: { name } }, options),

    members: (options?: CallOptions): Promise<Page<Member>> =>
      call('listMembers', {}, options, listOf<Member>()),

    /** Invites a person. Only this answer holds the link. */
    invite: (email: string, role: Role, options?: CallOptions): Promise<Answer<Invitation>> =>
      call('createInvitation', { body: { email, role } }, options),

    setRole: (personId: string, role: Role, options?: CallOptions): Promise<Answer<Member>> =>
      call('updateMember', { body: { personId, role } }, options),

    removeMember: (personId: string, options?: CallOptions): Promise<Answer<null>> =>
      call('removeMember', { body: { personId } }, options),

    /** One page of the audit log, newest first. */
    changes,

    /** Iterates over the audit log, newest first. */
    allChanges: (
      { pageSize, ...filter }: AuditFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<AuditEntry, void> =>
      eachItem(eachPage('listChanges', (page) => changes({ ...filter, ...page }, options), { pageSize })),
  };
}

/** API keys; all but `current` for signed-in people. */
export function keyMethods(call: Call) {
  const list = (query?: PageQuery, options?: CallOptions): Promise<Page<ApiKey>> =>
    call('listKeys', { query }, options, listOf<ApiKey>());

  return {
    /** One page of the keys, newest first. */
    list,

    /** Iterates over all keys, newest first. */
    listAll: ({ pageSize }: PageSize = {}, options?: CallOptions): AsyncGenerator<ApiKey, void> =>
      eachItem(eachPage('listKeys', (page) => list(page, options), { pageSize })),

    /** Creates a key. Only this answer holds it in full. */
    create: (body: ApiKeyCreate, options?: CallOptions): Promise<Answer<CreatedApiKey>> =>
      call('createKey', { body }, options),

    update: (id: string, changes: ApiKeyChanges, options?: CallOptions): Promise<Answer<ApiKey>> =>
      call('updateKey', { body: { ...changes, id } }, options),

    /** Replaces a key; the present one goes on working for `graceSeconds`. */
    rotate: (id: string, graceSeconds = 0, options?: CallOptions): Promise<Answer<CreatedApiKey>> =>
      call('rotateKey', { body: { id, graceSeconds } }, options),

    revoke: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('revokeKey', { body: { keyId: id } }, options),

    /** The key of this client. */
    current: (options?: CallOptions): Promise<Answer<ApiKey>> => call('readCurrentKey', {}, options),
  };
}
