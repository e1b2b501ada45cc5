import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { choice } from '@smartlink/smartlink/document';
import { relink } from '@smartlink/smartlink/model';
import type { Access } from '../../accounts/access.js';
import { principalOf } from '../../accounts/accounts.js';
import { addAuditEntry } from '../../accounts/audit.js';
import { pageParameters, sendPage } from '../../collections/collection.js';
import { success } from '../../envelope.js';
import { ApiError, fault } from '../../errors.js';
import { EXAMPLE_ID, EXAMPLE_USER_ID, type Operation, timestamp } from '../../operation.js';
import {
  decodeCursor,
  encodeCursor,
  isSmartlinkId,
  parseBody,
  parseQuery,
  smartlinkIdSchema,
} from '../../requests.js';
import { NO_URL_SAFETY } from '../../url-safety/url-safety.js';
import type { SmartlinkContext } from '../context.js';
import { changeStatus } from '../documents/set-status.js';
import { judgeLinks, toDue } from './judge-batch.js';
import { findJudgeable, findParts, findQueued, SAFETY_STATES, type SafetyState } from './queries.js';

// A client waits; the job judges the rest.
const RECHECK_MS_MAX = 5_000;
const VERDICTS = ['safe', ...SAFETY_STATES] as const;

const access: Access = { person: 'operator' };

const queueQuerySchema = z.object({
  state: choice(SAFETY_STATES).optional().meta({
    description:
      '`unsafe` (default): paused for unsafe URLs, the newest first. `unchecked`: reachable although their URLs are not judged, those that are judged next first; none without a provider.',
  }),
  ...pageParameters,
});

const recheckBodySchema = z.object({ smartlinkId: smartlinkIdSchema }, 'Must be an object');

/** GET /admin/safety and POST /admin/safety/recheck. */
export function safetyRoutes(app: FastifyInstance, context: SmartlinkContext): void {
  const { pg, urlSafety, publicBaseUrl } = context;
  const path = '/admin/safety';

  app.get(path, { config: { operation: queueOperation, access } }, (request, reply) => {
    const query = parseQuery(queueQuerySchema, request);
    const { state = 'unsafe', cursor } = query;
    const after = cursor === undefined ? null : readCursor(cursor, state);
    const page = { path, query, message: 'Smartlinks retrieved' };
    return sendPage(reply, page, {
      find: async (limit) => {
        // Without a provider no smartlink is ever checked.
        if (state === 'unchecked' && urlSafety === NO_URL_SAFETY) return [];
        const rows = await findQueued(pg, state, { after, limit });
        return rows.map(({ id, slug, domain, account, urls, dueAt }) => ({
          smartlinkId: id,
          address: relink(publicBaseUrl, slug, domain),
          account,
          state,
          urls,
          dueAt: state === 'unchecked' ? dueAt : null,
        }));
      },
      cursorOf: ({ smartlinkId, dueAt }) =>
        encodeCursor({ time: dueAt ?? new Date(0), id: `${state} ${smartlinkId}` }),
    });
  });

  app.post(`${path}/recheck`, { config: { operation: recheckOperation, access } }, async (request) => {
    const { smartlinkId } = parseBody(recheckBodySchema, request);
    const state = await recheck(context, principalOf(request).actor, smartlinkId);
    return success('Smartlink judged', { smartlinkId, state });
  });
}

/** A cursor belongs to its state. */
function readCursor(cursor: string, state: SafetyState) {
  const { time, id } = decodeCursor(
    cursor,
    new RegExp(`^${state} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
  );
  return { time, id: id.slice(state.length + 1) };
}

/**
 * Judges the URLs of a smartlink now. An Active one is paused if they are unsafe, one that the service paused is activated
 * if they are safe. Rejects with NOT_FOUND for any other.
 */
async function recheck(
  context: SmartlinkContext,
  actor: string,
  smartlinkId: string,
): Promise<(typeof VERDICTS)[number]> {
  const { pg, outbox, urlSafety } = context;
  const found = isSmartlinkId(smartlinkId) ? await findJudgeable(pg, smartlinkId) : null;
  if (found === null) throw new ApiError('NOT_FOUND');
  if (urlSafety === NO_URL_SAFETY) throw fault('', 'No safety provider is configured');
  const { id, userId, status } = found;
  await addAuditEntry(pg, { actor, userId }, 'safety.recheck', { smartlinkId: id });
  if (status === 'Active') {
    const ask: typeof urlSafety.check = (urls) =>
      urlSafety.check(urls, { limitMs: RECHECK_MS_MAX, failClosed: false });
    const due = toDue(await findParts(pg, id));
    const { outcomes } = await judgeLinks({ pg, outbox, ask, isStopped: () => false }, [due], RECHECK_MS_MAX);
    const outcome = outcomes.get(id) ?? 'left';
    return outcome === 'left' ? 'unchecked' : outcome;
  }
  try {
    await changeStatus({ ...context, contentBytesMax: null }, { userId, actor }, { id, status: 'Active' });
    return 'safe';
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    if (err.code === 'UNSAFE_URL') return 'unsafe';
    if (err.code === 'SERVICE_UNAVAILABLE') return 'unchecked';
    throw err;
  }
}

const EXAMPLE_QUEUED = {
  smartlinkId: EXAMPLE_ID,
  address: 'https://sl.example.com/summer',
  account: { id: EXAMPLE_USER_ID, email: 'cafe@example.com' },
  state: 'unsafe',
  urls: [{ path: 'shortener.url', url: 'https://unsafe.example.net/' }],
};

function queueOperation(): Operation {
  return {
    tag: 'Operators',
    operationId: 'listUnsafeSmartlinks',
    summary: 'List unsafe and unchecked smartlinks',
    description:
      'Smartlinks of all accounts with unsafe or unchecked URLs. Of their content only the URLs judged unsafe are shown, the first 20. In ' +
      'pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`. For signed-in operators.',
    query: queueQuerySchema,
    success: {
      status: 200,
      description: 'A page of smartlinks.',
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(
          z
            .strictObject({
              smartlinkId: z.string().meta({ description: 'Identifier of the smartlink.' }),
              address: z.string().meta({ description: 'Its public address.', format: 'uri' }),
              account: z
                .strictObject({ id: z.string(), email: z.string() })
                .meta({ description: 'The account that it belongs to.' }),
              state: z.enum(SAFETY_STATES),
              urls: z
                .array(z.strictObject({ path: z.string(), url: z.string() }))
                .max(20)
                .optional()
                .meta({ description: 'URLs judged unsafe, and where they are.' }),
              dueAt: timestamp('When unchecked URLs are judged next, in UTC.').optional(),
            })
            .meta({ id: 'QueuedSmartlink' }),
        ),
        examples: {
          list: { summary: 'An unsafe URL', message: 'Smartlinks retrieved', data: [EXAMPLE_QUEUED] },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        state: {
          summary: 'An unknown state',
          details: [{ path: 'state', message: `Must be one of ${SAFETY_STATES.join(', ')}` }],
        },
      },
    },
  };
}

function recheckOperation(): Operation {
  return {
    tag: 'Operators',
    operationId: 'recheckSmartlink',
    summary: 'Judge a smartlink again',
    description:
      'Has the URLs of a smartlink judged now. An Active one is paused if one of them is unsafe; one that the service paused is ' +
      'activated if all are safe. `state` is `unchecked` if the provider gave no verdict. For signed-in operators.',
    body: {
      schema: recheckBodySchema,
      examples: { recheck: { summary: 'A smartlink', value: { smartlinkId: EXAMPLE_ID } } },
    },
    success: {
      status: 200,
      description: 'The verdict.',
      data: {
        schema: z
          .strictObject({
            smartlinkId: z.string().meta({ description: 'Identifier of the smartlink.' }),
            state: z.enum(VERDICTS),
          })
          .meta({ id: 'SafetyVerdict' }),
        examples: {
          safe: {
            summary: 'A safe one',
            message: 'Smartlink judged',
            data: { smartlinkId: EXAMPLE_ID, state: 'safe' },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        noProvider: {
          summary: 'SAFETY_PROVIDER is none',
          details: [{ path: '', message: 'No safety provider is configured' }],
        },
      },
      NOT_FOUND: {},
    },
  };
}
