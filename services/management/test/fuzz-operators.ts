import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { ApiReference } from './api-reference-document.js';
import type { KnownRefusals } from './fuzz-expectations.js';
import { valueAt } from './fuzz-json.js';
import type { FuzzOptions } from './fuzz-run.js';
import { createPerson, createSmartlink, caller, signIn, type TestService } from './start-service.js';

// Cases name what there is by these, so that the same seed makes the same cases in every run.
const OWN = '00000000-0000-7000-8000-0000000000b1';
const UNKNOWN = '00000000-0000-7000-8000-0000000000b2';
const PLAN = 'Fuzz';
/** Below the 600 requests of a person in a minute. */
const CASES_MAX = 200;

const ownId = fc.oneof({ weight: 6, arbitrary: fc.constant(OWN) }, fc.constantFrom(UNKNOWN, 'x'));
const email = fc.uuid().map((id) => `${id}@example.org`);
const plan = fc.constantFrom(PLAN, PLAN.toLowerCase(), 'Nothing');

const cursor = (text: string) => fc.constant(Buffer.from(text).toString('base64url'));

type Hints = FuzzOptions['hints'];
type Operated = {
  readonly hints?: Hints;
  readonly known?: Partial<KnownRefusals>;
  /** Path in the body of the id that must be there. */
  readonly id?: string;
};
const OPERATIONS: Readonly<Record<string, Operated>> = {
  listPeople: { hints: { cursor: cursor('a@example.org') } },
  listAccounts: { hints: { cursor: cursor('a@example.org') } },
  // A cursor belongs to its state.
  listUnsafeSmartlinks: {
    hints: { cursor: cursor(`0.unsafe ${OWN}`) },
    known: { ofValid: ['Must be a cursor from an earlier answer'] },
  },
  recheckSmartlink: {
    hints: { smartlinkId: ownId },
    known: { ofValid: ['No safety provider is configured'] },
    id: 'smartlinkId',
  },
  createPerson: {
    hints: { email, accountId: ownId },
    known: { ofValid: ['Required', 'No such account'], codes: ['NAME_TAKEN'] },
  },
  updatePerson: {
    hints: { personId: ownId },
    known: { ofValid: ['The person is disabled'] },
    id: 'personId',
  },
  createAccount: { hints: { email, plan }, known: { ofValid: ['No such plan'], codes: ['NAME_TAKEN'] } },
  updateOperatedAccount: { hints: { id: ownId, plan }, known: { ofValid: ['No such plan'] }, id: 'id' },
  updatePlan: { hints: { name: fc.constantFrom(PLAN, PLAN, PLAN, 'Nothing') } },
};

export const OPERATOR_OPERATIONS = Object.keys(OPERATIONS);

/** How to fuzz one of these as an operator of its own. `ofHostile`: refusals of changed values. */
export async function operatedBy(
  service: TestService,
  reference: ApiReference,
  operationId: string,
  ofHostile: KnownRefusals['ofHostile'],
): Promise<FuzzOptions> {
  const { app } = service;
  const { hints = {}, known = {}, id } = OPERATIONS[operationId] ?? {};
  const operator = await createPerson(app, { isOperator: true });
  const { token } = await signIn(app, operator, null);
  await app.pg.query(
    `insert into plans (name, requests_per_minute, advanced_allowed) values ($1, 100, true) on conflict do nothing`,
    [PLAN],
  );
  const { userId, apiKey } = await service.createUser();
  const { personId } = await createPerson(app, { roles: { [userId]: 'Editor' } });
  const { id: smartlinkId } = await createSmartlink(caller(app, apiKey));
  const own = { personId, smartlinkId }[id ?? ''] ?? userId;
  const unknown = randomUUID();
  return {
    ...{ app, reference, operationId, hints },
    session: token,
    casesMax: CASES_MAX,
    known: { ofValid: [], ofHostile, codes: [], ...known },
    withIds: (text) => text.replaceAll(OWN, own).replaceAll(UNKNOWN, unknown),
    isThere: ({ value }) => {
      const name = valueAt(value, ['name']);
      if (operationId === 'updatePlan') return typeof name === 'string' && /^fuzz$/i.test(name);
      return id === undefined || valueAt(value, [id]) === own;
    },
    checkRows: () => Promise.resolve([]),
  };
}
