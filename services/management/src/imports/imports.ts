import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createRowChecker, listRemarks, REPORT_HEADING, toReportRow } from '@smartlink/import/store';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { createDomainHosts, LOCK_USER } from '@smartlink/smartlink/store';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { streamBodies } from '../plugins/uploads.js';
import { isSmartlinkId, parseBody, parseQuery } from '../requests.js';
import { checkUpload, FILE_BYTES_MAX } from './check-upload.js';
import {
  importOperations,
  listQuerySchema,
  reportQuerySchema,
  RUNNING_MAX,
  startBodySchema,
  UPLOAD_TYPES,
  uploadQuerySchema,
} from './operations.js';
import { countRunning, findUpload, listUploads, lockUpload, startUpload, type Upload } from './queries.js';
import { startImports, startTotalsMoves } from './run-imports.js';

const editor = { person: 'Editor' } as const;

type ImportsOptions = {
  readonly publicBaseUrl: string;
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** The routes of imports, and the job that runs them. */
export async function imports(
  app: FastifyInstance,
  { publicBaseUrl, runsJobs, log }: ImportsOptions,
): Promise<void> {
  const { pg, clickhouse, formatGate } = app;
  const operations = importOperations();
  if (runsJobs) {
    const jobs = [
      startImports({ pg, takesNewMembers: () => formatGate.state() === 'open', log }),
      startTotalsMoves({ pg, clickhouse, log }),
    ];
    app.addHook('onClose', async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    });
  }

  await app.register((uploads, _options, registered) => {
    streamBodies(uploads);
    const domainHosts = createDomainHosts(pg);
    const validator = createSmartlinkValidator({ publicBaseUrl, isDomain: domainHosts.has });
    const hashPassword = app.passwordHasher.hashOfMany;
    const upload = { types: UPLOAD_TYPES, bytesMax: FILE_BYTES_MAX };
    uploads.post(
      '/imports',
      { config: { operation: operations.create, access: editor, upload } },
      async (request, reply) => {
        const { format } = parseQuery(uploadQuerySchema, request);
        await domainHosts.refresh();
        const check = createRowChecker({ validator, publicBaseUrl });
        const file = request.body as AsyncIterable<Buffer>;
        const checked = await checkUpload({ pg, check, hashPassword }, principalOf(request), file, format);
        return reply.code(201).send(success('File checked', checked));
      },
    );
    registered();
  });

  app.post('/imports/start', { config: { operation: operations.start, access: editor } }, async (request) => {
    const { id, assignSlugs = false } = parseBody(startBodySchema, request);
    return success('Import started', await startImport(app, principalOf(request), id, assignSlugs));
  });

  app.get('/imports', { config: { operation: operations.read, access: editor } }, async (request) => {
    const { id } = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    if (id !== undefined) return success('Import retrieved', toView(await findImport(pg, userId, id)));
    return success('Imports retrieved', (await listUploads(pg, userId)).map(toView));
  });

  app.get(
    '/imports/report',
    { config: { operation: operations.report, access: editor } },
    async (request, reply) => {
      if (app.hasDecorator('heavyRequests')) throw new TooHeavy();
      const { id } = parseQuery(reportQuerySchema, request);
      const found = await findImport(pg, principalOf(request).userId, id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="import-report.csv"')
        .send(Readable.from(reportOf(pg, found.id)));
    },
  );
}

const toView = (upload: Upload): object => withoutNulls(upload);

/** Rejects with NOT_FOUND. */
async function findImport(db: Queryable, userId: string, id: string): Promise<Upload> {
  const found = isSmartlinkId(id) ? await findUpload(db, userId, id) : null;
  if (found === null) throw new ApiError('NOT_FOUND', { message: 'Import not found' });
  return found;
}

/** Starts a checked import; one that was started before goes on as it is. */
async function startImport(
  { pg }: FastifyInstance,
  principal: Principal,
  id: string,
  assignSlugs: boolean,
): Promise<object> {
  const { userId, credential } = principal;
  await withTransaction(pg, async (client) => {
    // Before the upload, as batches lock them: other starts of the account wait, so the count is exact.
    await client.query(LOCK_USER, [userId]);
    const found = isSmartlinkId(id) ? await lockUpload(client, userId, id) : null;
    if (found?.state !== 'checked' || credential.kind !== 'session') return;
    if ((await countRunning(client, userId)) >= RUNNING_MAX) {
      throw fault('', `An account runs at most ${RUNNING_MAX} imports at once`);
    }
    await startUpload(client, { id, assignSlugs, personId: credential.personId });
    await addAuditEntry(client, principal, 'import.start', { importId: id });
  });
  return toView(await findImport(pg, userId, id));
}

async function* reportOf(db: Queryable, id: string): AsyncGenerator<string> {
  yield REPORT_HEADING;
  for await (const remarks of listRemarks(db, id)) yield remarks.map(toReportRow).join('');
}
