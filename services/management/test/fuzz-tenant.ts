import fc from 'fast-check';
import type { Json } from './api-reference-document.js';
import { HOSTILE_TEXTS } from './fuzz-corpus.js';
import type { FuzzAnswer } from './fuzz-expectations.js';
import { TYPES, fullDocument } from './schema-documents.js';
import { caller, type Caller, type TestService } from './start-service.js';

// Cases name smartlinks by ids that stand in for real ones, so that the same seed makes the same cases in every run.
const standIn = (slot: number) => `00000000-0000-7000-8000-${String(slot).padStart(12, '0')}`;
const STAND_INS = /00000000-0000-7000-8000-[0-9]{12}/g;

const LIVE = TYPES.length * 2;
const [DELETED, FOREIGN] = [LIVE, LIVE + 1];

export type FuzzTenant = Awaited<ReturnType<typeof createFuzzTenant>>;

/** A user with two smartlinks of each type, a deleted one, and a foreign one, and what the cases ask of them. */
export async function createFuzzTenant(service: TestService) {
  const { app } = service;
  const { apiKey, userId } = await service.createUser();
  const api = caller(app, apiKey);
  const stranger = caller(app, (await service.createUser()).apiKey);
  const ids: string[] = [];
  for (let slot = 0; slot <= DELETED; slot += 1) ids.push(await create(api, slot));
  ids.push(await create(stranger, 0));
  await api.delete('/smartlink', { smartlinkId: ids[DELETED] });
  const types = new Map(ids.map((id, slot) => [id, TYPES[slot % TYPES.length]!]));
  const versions = new Set<string>();
  for (const id of ids.slice(0, LIVE))
    versions.add(String((await api.get(`/smartlink?id=${id}`)).headers.etag));

  let rows = await countRows(app);
  let made = { smartlinks: 0, changes: 0 };

  return {
    api,
    apiKey,
    userId,
    types,
    /** Ids to send: mostly of smartlinks that are there. */
    idHint: fc.oneof(
      { weight: 12, arbitrary: fc.nat({ max: LIVE - 1 }).map(standIn) },
      { weight: 2, arbitrary: fc.constantFrom(DELETED, FOREIGN, 999).map(standIn) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Json[]>(
          ...HOSTILE_TEXTS.filter((text) => text !== '' && text.isWellFormed()),
        ),
      },
    ),
    withIds: (text: string) => text.replaceAll(STAND_INS, (id) => ids[Number(id.slice(-12))] ?? id),
    isLive: (id: unknown) => ids.slice(0, LIVE).includes(id as string),
    isOwn: (id: unknown) => ids.slice(0, FOREIGN).includes(id as string),
    /** Notes the version in an answer, and returns whether it is new. */
    noteVersion(answer: FuzzAnswer): boolean {
      const etag = String(answer.headers['etag']);
      if (versions.has(etag)) return false;
      versions.add(etag);
      made.changes += 1;
      return true;
    },
    noteCreated() {
      made.smartlinks += 1;
    },
    /** Puts another smartlink in the place of a deleted one. */
    async replaceDeleted(id: string) {
      made.changes += 1;
      const slot = ids.indexOf(id);
      ids[slot] = await create(api, slot);
      made = { smartlinks: made.smartlinks + 1, changes: made.changes + 1 };
    },
    /** Faults; none when the rows changed since the last call exactly as the answers say. */
    async checkRows(): Promise<string[]> {
      const now = await countRows(app);
      const changed = {
        smartlinks: now.smartlinks - rows.smartlinks,
        // Each change that is committed leaves an entry in the audit log.
        changes: now.changes - rows.changes,
      };
      const [newSlugs, newKeys] = [now.slugs - rows.slugs, now.keys - rows.keys];
      const faults: string[] = [];
      if (changed.smartlinks !== made.smartlinks || changed.changes !== made.changes) {
        faults.push(`Rows: told of ${JSON.stringify(made)}, stored ${JSON.stringify(changed)}`);
      }
      if (newSlugs > made.changes) faults.push(`Rows: ${newSlugs} new addresses of ${made.changes} changes`);
      if (newKeys > 0 && changed.smartlinks === 0)
        faults.push(`Rows: ${newKeys} idempotency keys and no smartlink`);
      rows = now;
      made = { smartlinks: 0, changes: 0 };
      return faults;
    },
  };
}

async function create(api: Caller, slot: number): Promise<string> {
  const answer = await api.post('/smartlink', fullDocument(TYPES[slot % TYPES.length]!));
  return String(answer.body.data.id);
}

async function countRows(app: TestService['app']) {
  const { rows } = await app.pg.query(
    `select (select count(*)::int from smartlinks) as smartlinks, (select count(*)::int from slugs) as slugs,
            (select count(*)::int from idempotency_keys where answer_status = 201) as keys,
            (select count(*)::int from audit_entries where action like 'smartlink.%') as changes`,
  );
  return rows[0] as { smartlinks: number; slugs: number; keys: number; changes: number };
}
