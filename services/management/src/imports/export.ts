import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exportPieces, pagesToExport } from '@smartlink/import/export';
import { isAllowed } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { parseQuery } from '../requests.js';
import { exportOperation, exportQuerySchema } from './operations.js';

/** GET /export: read as the client takes it, holding no connection to Postgres in between. */
export function exportRoute(
  app: FastifyInstance,
  { publicBaseUrl }: { readonly publicBaseUrl: string },
  done: () => void,
): void {
  const { pg, figures } = app;
  app.get(
    '/export',
    { config: { operation: exportOperation, access: { scope: 'links:read', role: 'Viewer' } } },
    (request, reply) => {
      const { format = 'json' } = parseQuery(exportQuerySchema, request);
      if (app.hasDecorator('heavyRequests')) throw new TooHeavy();
      const principal = principalOf(request);
      const { userId } = principal;
      // Who only reads links cannot use a hash but to guess its password.
      const hasPasswords = isAllowed(principal, { scope: 'links:write', role: 'Editor' });
      async function* texts(): AsyncGenerator<string> {
        const pieces = exportPieces(pg, {
          pages: pagesToExport(pg, userId),
          format,
          publicBaseUrl,
          hasPasswords,
          findTotals: (rows) => figures.totals.read(userId, rows),
        });
        for await (const { text } of pieces) yield text;
      }
      return reply
        .type(format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="smartlinks.${format}"`)
        .send(Readable.from(texts(), { objectMode: false }));
    },
  );
  done();
}
