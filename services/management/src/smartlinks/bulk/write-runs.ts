import type { PoolClient } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import type { ChangeRecord } from '@smartlink/smartlink-store/record-changes';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';
import { patchedRow, planPatch, requireMatch, toSettleOf, toWanted } from '../plan-patch.js';
import { markDeleted } from '../queries.js';
import { notSettledYet } from '../slow-work.js';
import type { SlowWork, ToSettle } from '../slow-work.js';
import { storeDocuments } from '../store-documents.js';
import { writePatches } from '../write-patches.js';
import type { PatchToWrite } from '../write-patches.js';
import { refusalOr } from './plan-patches.js';
import type { PatchPlan } from './plan-patches.js';
import type { Prepared, PreparedPatch } from './prepare-operations.js';

/** What came of an operation. */
export type Outcome =
  | { readonly kind: 'created' | 'updated'; readonly row: SmartlinkRow }
  | { readonly kind: 'deleted' }
  | ApiError;

/** How far a call is. */
export type Writing = {
  readonly client: PoolClient;
  readonly validator: SmartlinkValidator;
  readonly principal: Principal;
  readonly recall: SlowWork['recall'];
  /**
   * What has to be settled before any of this may be committed. It is gathered to the end, so that one more try is
   * enough however many operations come after a row that was changed.
   */
  readonly missing: ToSettle[];
  /** How many more smartlinks the plan has room for; null: any number. */
  room: number | null;
  /** The locked rows as they are now; those only deleted are without content. */
  readonly rows: Map<string, SmartlinkRow>;
  /** The version that a plan's row had once the plan was carried out. */
  readonly versionsAfter: Map<PatchPlan, string>;
  readonly outcomes: Map<number, Outcome>;
  readonly records: ChangeRecord[];
  readonly changed: Map<string, string>;
};

/** An operation and its place in the call. */
type Member<Operation = Prepared> = { readonly index: number; readonly operation: Operation };

/** Operations of one kind that are written together. */
export type Run = { readonly kind: Prepared['kind']; readonly members: Member[] };

/** Writes a run in a handful of statements, however long it is, and notes what came of it. */
export async function writeRun(writing: Writing, { kind, members }: Run): Promise<void> {
  if (kind === 'create') await writeCreates(writing, ofKind(members, 'create'));
  if (kind === 'patch') await writePatchRun(writing, ofKind(members, 'patch'));
  if (kind === 'delete') await writeDeletions(writing, ofKind(members, 'delete'));
}

type OfKind<Kind extends Prepared['kind']> = Extract<Prepared, { kind: Kind }>;

function ofKind<Kind extends Prepared['kind']>(members: readonly Member[], kind: Kind) {
  const isOfKind = (member: Member): member is Member<OfKind<Kind>> => member.operation.kind === kind;
  return members.filter(isOfKind);
}

async function writeCreates(writing: Writing, members: readonly Member<OfKind<'create'>>[]): Promise<void> {
  const { client, principal, outcomes } = writing;
  const documents = members.map(({ operation }) => operation.document);
  const stored = await storeDocuments(client, principal.userId, documents, writing.room);
  for (const [i, { index }] of members.entries()) {
    const row = stored[i];
    if (row === undefined) throw new Error('A document was not stored');
    if (row instanceof ApiError) outcomes.set(index, row);
    else {
      outcomes.set(index, { kind: 'created', row });
      note(writing, row, { action: 'smartlink.create' });
      if (writing.room !== null) writing.room -= 1;
    }
  }
}

async function writePatchRun(writing: Writing, members: readonly Member<PreparedPatch>[]): Promise<void> {
  const { client, principal, outcomes, rows, versionsAfter } = writing;
  const ready: (ReadyPatch & Member<PreparedPatch>)[] = [];
  for (const member of members) {
    const toWrite = toPatch(writing, member);
    if (toWrite instanceof ApiError) outcomes.set(member.index, toWrite);
    else ready.push({ ...member, ...toWrite });
  }
  const written = ready.length === 0 ? [] : await writePatches(client, principal.userId, ready);
  for (const [i, { index, plan, row: before, wanted }] of ready.entries()) {
    const outcome = written[i];
    if (outcome === undefined) throw new Error('A patch was not written');
    if (outcome instanceof ApiError) {
      outcomes.set(index, outcome);
      continue;
    }
    const { row, changed } = outcome;
    outcomes.set(index, { kind: 'updated', row });
    if (plan !== null) versionsAfter.set(plan, row.version);
    if (changed.length === 0) continue;
    // What comes back has the content of the present type only.
    rows.set(row.id, { ...row, content: patchedRow(before, wanted).content });
    note(writing, row, { action: 'smartlink.update', changed });
  }
}

/** `plan` is the one it was made by; null when it was made anew, and nothing that was planned behind it holds. */
type ReadyPatch = PatchToWrite & { readonly plan: PatchPlan | null };

/** Returns what a patch makes of the row as it is now, or why it is refused: in the order in which a single call asks. */
function toPatch(writing: Writing, { operation }: Member<PreparedPatch>): ReadyPatch | ApiError {
  const { patch, ifMatch } = operation;
  const row = writing.rows.get(patch.id);
  if (row === undefined) return new ApiError('NOT_FOUND');
  const mismatch = refusalOr(() => {
    requireMatch(row, ifMatch);
  });
  if (mismatch instanceof ApiError) return mismatch;
  const plan = operation.plan !== null && isMadeFor(writing, operation.plan, row) ? operation.plan : null;
  const planned = plan?.planned ?? refusalOr(() => planPatch(writing.validator, row, patch));
  if (planned instanceof ApiError) return planned;
  const toSettle = toSettleOf(planned);
  const settled = writing.recall(toSettle);
  if (settled === null) writing.missing.push(toSettle);
  else if (settled.refusal !== null) return settled.refusal;
  return { plan, row, wanted: toWanted(row, patch, planned, settled ?? notSettledYet(toSettle)) };
}

function isMadeFor({ versionsAfter }: Writing, { base }: PatchPlan, row: SmartlinkRow): boolean {
  return row.version === (typeof base === 'string' ? base : versionsAfter.get(base));
}

async function writeDeletions(writing: Writing, members: readonly Member<OfKind<'delete'>>[]): Promise<void> {
  const { client, outcomes, rows } = writing;
  const deleted: SmartlinkRow[] = [];
  for (const { index, operation } of members) {
    const row = rows.get(operation.id);
    // Deleted by an earlier one it is not there either.
    rows.delete(operation.id);
    outcomes.set(index, row === undefined ? new ApiError('NOT_FOUND') : { kind: 'deleted' });
    if (row !== undefined) deleted.push(row);
  }
  if (deleted.length === 0) return;
  const versions = await markDeleted(
    client,
    deleted.map(({ id }) => id),
  );
  for (const row of deleted) {
    const version = versions.get(row.id) ?? row.version;
    note(writing, { ...row, status: 'Deleted', version }, { action: 'smartlink.delete' });
  }
  if (writing.room !== null) writing.room += deleted.length;
}

function note(
  { principal, records, changed }: Writing,
  smartlink: SmartlinkRow,
  what: Pick<ChangeRecord, 'action' | 'changed'>,
): void {
  records.push({ actor: `key ${principal.keyId}`, smartlink, ...what });
  changed.set(smartlink.id, smartlink.version);
}
