import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type { Body, Data, Query } from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type Person = Data<'listPeople'>[number];
export type PersonCreate = Body<'createPerson'>;
export type PersonChanges = Omit<Body<'updatePerson'>, 'personId'>;
export type OperatedAccount = Data<'listAccounts'>[number];
export type AccountCreate = Body<'createAccount'>;
export type AccountChanges = Omit<Body<'updateOperatedAccount'>, 'id'>;
export type Plan = Data<'listPlans'>[number];
export type PlanChanges = Omit<Body<'updatePlan'>, 'name'>;
export type HealthCheck = Data<'readHealth'>[number];
export type QueuedSmartlink = Data<'listUnsafeSmartlinks'>[number];
export type SafetyVerdict = Data<'recheckSmartlink'>;
/** A part of an e-mail address or a name. */
export type AddressFilter = Omit<Query<'listPeople'>, 'limit' | 'cursor'>;
export type QueueFilter = Omit<Query<'listUnsafeSmartlinks'>, 'limit' | 'cursor'>;

/** The installation; for signed-in operators. */
export function operatorMethods(call: Call) {
  const people = (query?: AddressFilter & PageQuery, options?: CallOptions): Promise<Page<Person>> =>
    call('listPeople', { query }, options, listOf<Person>());
  const accounts = (
    query?: AddressFilter & PageQuery,
    options?: CallOptions,
  ): Promise<Page<OperatedAccount>> => call('listAccounts', { query }, options, listOf<OperatedAccount>());
  const unsafe = (query?: QueueFilter & PageQuery, options?: CallOptions): Promise<Page<QueuedSmartlink>> =>
    call('listUnsafeSmartlinks', { query }, options, listOf<QueuedSmartlink>());

  return {
    /** One page of the people, by address. */
    people,

    /** Iterates over all people, by address. */
    allPeople: (
      { pageSize, ...filter }: AddressFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<Person, void> =>
      eachItem(eachPage('listPeople', (page) => people({ ...filter, ...page }, options), { pageSize })),

    /** Creates a person, or makes one a member. Only this answer holds the link. */
    createPerson: (body: PersonCreate, options?: CallOptions): Promise<Answer<Person>> =>
      call('createPerson', { body }, options),

    updatePerson: (
      personId: string,
      changes: PersonChanges,
      options?: CallOptions,
    ): Promise<Answer<Person>> => call('updatePerson', { body: { ...changes, personId } }, options),

    /** One page of the accounts, by address. */
    accounts,

    /** Iterates over all accounts, by address. */
    allAccounts: (
      { pageSize, ...filter }: AddressFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<OperatedAccount, void> =>
      eachItem(eachPage('listAccounts', (page) => accounts({ ...filter, ...page }, options), { pageSize })),

    /** Creates an account and its Owner. Only this answer holds the Owner's link. */
    createAccount: (body: AccountCreate, options?: CallOptions): Promise<Answer<OperatedAccount>> =>
      call('createAccount', { body }, options),

    updateAccount: (
      id: string,
      changes: AccountChanges,
      options?: CallOptions,
    ): Promise<Answer<OperatedAccount>> =>
      call('updateOperatedAccount', { body: { ...changes, id } }, options),

    plans: (options?: CallOptions): Promise<Answer<readonly Plan[]>> =>
      call('listPlans', {}, options, listOf<Plan>()),

    updatePlan: (name: string, changes: PlanChanges, options?: CallOptions): Promise<Answer<Plan>> =>
      call('updatePlan', { body: { ...changes, name } }, options),

    health: (options?: CallOptions): Promise<Answer<readonly HealthCheck[]>> =>
      call('readHealth', {}, options, listOf<HealthCheck>()),

    /** One page of the smartlinks with unsafe or unchecked URLs. */
    unsafe,

    /** Iterates over all smartlinks with unsafe or unchecked URLs. */
    allUnsafe: (
      { pageSize, ...filter }: QueueFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<QueuedSmartlink, void> =>
      eachItem(
        eachPage('listUnsafeSmartlinks', (page) => unsafe({ ...filter, ...page }, options), { pageSize }),
      ),

    /** Has a smartlink's URLs judged now. */
    recheck: (smartlinkId: string, options?: CallOptions): Promise<Answer<SafetyVerdict>> =>
      call('recheckSmartlink', { body: { smartlinkId } }, options),
  };
}
