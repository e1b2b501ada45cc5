import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { toDraftLink } from '@smartlink/links/publish';
import { LANGUAGES, type PageSource, pageSourceOf } from '@smartlink/pages/site';
import { choice, type Fault, parseDomainHost } from '@smartlink/smartlink/document';
import { inDomain, isObject, isSlug, slugKey } from '@smartlink/smartlink/model';
import {
  checkMetadata,
  findTaken,
  type LinkDomain,
  placeInDomains,
  remainingQuota,
  type SmartlinkRow,
  toParts,
  urlsOf,
} from '@smartlink/smartlink/store';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { applyUtmTemplate, findUtmTemplates } from '../../collections/utm-templates.js';
import { success } from '../../envelope.js';
import { ApiError, fault, slugTaken } from '../../errors.js';
import { MADE_BYTES_HEADER, TooHeavy } from '../../fairness/heavy-requests.js';
import type { KnownMembers } from '../../ignored-input.js';
import { EXAMPLE_ID, EXAMPLE_TIME, type Operation, timestamp } from '../../operation.js';
import { isSmartlinkId, parseBody, smartlinkIdSchema } from '../../requests.js';
import { requireSafeUrls, type UrlSafety } from '../../url-safety/url-safety.js';
import type { SmartlinkContext } from '../context.js';
import { optionalObject, planPatch, toPatchWrite } from '../documents/patches.js';
import { findChangeable } from '../documents/queries.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES, type Reference } from '../documents/reference.js';
import { domainRefusal, findPatchRefusals, metadataRefusal } from '../documents/write-patches.js';
import { refusalByFormat } from '../publishing/format-gate.js';
import { DRAFT_VIEWS, PREVIEW_PATH } from './draft-pages.js';

const previewBodySchema = z.object(
  {
    draft: optionalObject,
    id: smartlinkIdSchema.optional().meta({ description: 'The smartlink that `patch` would change.' }),
    patch: optionalObject,
    view: choice(DRAFT_VIEWS)
      .optional()
      .meta({ description: 'The own page, the password form, the share card or the preview page.' }),
    language: choice(LANGUAGES).optional().meta({ description: 'Language of the page.' }),
  },
  'Must be an object',
);

type PreviewBody = z.output<typeof previewBodySchema>;

/** POST /smartlink/preview. */
export function previewRoute(app: FastifyInstance, given: SmartlinkContext): void {
  const context = { ...given, urlSafety: rememberVerdicts(given.urlSafety) };
  const operation = () => previewOperation(context.reference);
  const members: KnownMembers = new Map<string, KnownMembers | null>([
    ...Object.keys(previewBodySchema.shape).map((name) => [name, null] as const),
    ['draft', context.createMembers],
    ['patch', context.patchMembers],
  ]);

  app.post(
    '/smartlink/preview',
    { config: { operation, access: { person: 'Editor' } } },
    async (request, reply) => {
      const body = parseBody(previewBodySchema, request, members);
      const principal = principalOf(request);
      const { faults, source, domain } = await checkBody(context, principal, body);
      if (source === null || faults.length > 0) return success('Draft checked', { faults });
      requireLightSource(context, source);
      const { view = 'own', language = 'en' } = body;
      const { pageBytes, place } = await app.draftPages.keep(sessionOf(principal), {
        source,
        view,
        language,
        domain,
      });
      void reply.header(MADE_BYTES_HEADER, pageBytes);
      return success('Draft checked', { faults, ...place });
    },
  );
}

/** Throws TooHeavy outside of the thread of heavy requests, before anything is written. */
function requireLightSource({ contentBytesMax }: SmartlinkContext, source: PageSource): void {
  if (contentBytesMax !== null && JSON.stringify(source).length > contentBytesMax) throw new TooHeavy();
}

function sessionOf({ credential }: Principal): string {
  if (credential.kind !== 'session') throw new Error('BUG: this route is for persons');
  return credential.id;
}

/** `source`: of its pages; null if faults leave it incomplete. */
type CheckedDraft = {
  readonly faults: readonly Fault[];
  readonly source: PageSource | null;
  readonly domain: string | null;
};

/** Rejects with VALIDATION_FAILED if the body has neither form, and with NOT_FOUND for an unknown id. */
function checkBody(
  context: SmartlinkContext,
  principal: Principal,
  { draft, id, patch }: PreviewBody,
): Promise<CheckedDraft> {
  if (draft !== undefined && id === undefined && patch === undefined) {
    return checkDraft(context, principal, draft);
  }
  if (draft !== undefined || id === undefined || patch === undefined) {
    throw fault('', 'Must have either draft, or id and patch');
  }
  return checkPatch(context, principal, { ...patch, id });
}

type Members = Readonly<Record<string, unknown>>;

// Shown until the service assigns one.
const UNASSIGNED_SLUG = 'preview';

/** With the faults for which a create would be refused now. */
async function checkDraft(
  context: SmartlinkContext,
  { userId, plan: { smartlinksMax } }: Principal,
  draft: Members,
): Promise<CheckedDraft> {
  const { pg, validator, urlSafety, formatGate } = context;
  const applied = applyUtmTemplate(draft, await findUtmTemplates(pg, userId, [draft]));
  const checked = validator.validate(applied.body, { hasStoredPassword: false });
  const found: Fault[] = [...applied.faults, ...(checked.ok ? [] : checked.faults)];
  let source: PageSource | null = null;
  const domain = await findDomain(context, userId, draft, found);
  if (checked.ok && found.length === 0) {
    const parts = toParts(checked.value);
    source = pageSourceOf(toDraftLink(parts, parts.slug ?? UNASSIGNED_SLUG));
    const isFull = smartlinksMax !== null && (await remainingQuota(pg, userId, smartlinksMax)) === 0;
    const [metadata] = await checkMetadata(pg, userId, [parts.metadata]);
    found.push(
      ...faultsOf(refusalByFormat(formatGate, null, parts)),
      ...faultsOf(isFull ? new ApiError('SUBSCRIPTION_LIMIT_REACHED') : null),
      ...faultsOf(metadata ? metadataRefusal(metadata) : null),
      ...(await faultsOfWork(requireSafeUrls(urlSafety, urlsOf(parts)))),
    );
  }
  // While the rest of a form is still empty, too.
  const slug = slugOf(draft, found);
  const keys = slug === null ? [] : [inDomain(slugKey(slug), domain?.number ?? null)];
  const isTaken = keys.length > 0 && (await findTaken(pg, userId, keys)).size > 0;
  return { faults: [...found, ...faultsOf(isTaken ? slugTaken() : null)], source, domain: hostOf(domain) };
}

/** With the faults for which a PATCH would be refused now. */
async function checkPatch(
  context: SmartlinkContext,
  { userId }: Principal,
  patch: Members & { readonly id: string },
): Promise<CheckedDraft> {
  const { pg, validator, urlSafety, formatGate, contentBytesMax } = context;
  const { id } = patch;
  const row = isSmartlinkId(id) ? await findChangeable(pg, { id, userId, contentBytesMax }) : null;
  if (row === null) throw new ApiError('NOT_FOUND');
  const found: Fault[] = [];
  let source: PageSource | null = null;
  try {
    const planned = planPatch(validator, row, patch);
    source = pageSourceOf(toDraftLink(planned.parts, planned.parts.slug ?? row.slug));
    const checked = { passwordHash: undefined, urlsChecked: false };
    const wanted = toPatchWrite(row, patch, planned, checked);
    found.push(...faultsOf(refusalByFormat(formatGate, row, planned.parts)));
    for (const refusal of await findPatchRefusals(pg, userId, { row, wanted }))
      found.push(...faultsOf(refusal));
    if (planned.newUrls.length > 0) {
      found.push(...(await faultsOfWork(requireSafeUrls(urlSafety, planned.newUrls))));
    }
  } catch (err) {
    found.push(...faultsOf(refusalOf(err)));
  }
  const { configuration } = patch;
  const moves = isObject(configuration) && Object.hasOwn(configuration, 'domain');
  const domain = moves ? await findDomain(context, userId, patch, found) : domainOf(row);
  const slug = slugOf(patch, found) ?? (moves ? row.slug : null);
  const keys = slug === null ? [] : [inDomain(slugKey(slug), domain?.number ?? null)];
  const isTaken = keys.length > 0 && (await findTaken(pg, userId, keys, id)).size > 0;
  return { faults: [...found, ...faultsOf(isTaken ? slugTaken() : null)], source, domain: hostOf(domain) };
}

const domainOf = ({ domain_number: number, domain: host }: SmartlinkRow): LinkDomain | null =>
  number === null || host === null ? null : { number, host };

const hostOf = (domain: LinkDomain | null): string | null => domain?.host ?? null;

/** The domain of a draft; null, with a fault added to `found`, if it has none. */
async function findDomain(
  { pg, publicBaseUrl }: SmartlinkContext,
  userId: string,
  { configuration }: Members,
  found: Fault[],
): Promise<LinkDomain | null> {
  const given = isObject(configuration) ? configuration['domain'] : undefined;
  // What is no host has a fault already.
  const host = typeof given === 'string' ? parseDomainHost(given, publicBaseUrl) : given;
  if (host !== undefined && host !== null && typeof host !== 'string') return null;
  const [domain = null] = await placeInDomains(pg, userId, [host]);
  if (typeof domain !== 'string') return domain;
  if (!found.some(({ path }) => path === 'configuration.domain'))
    found.push(...faultsOf(domainRefusal(domain)));
  return null;
}

/** The address of a draft, unless it has a fault; null without one. */
function slugOf({ configuration }: Members, found: readonly Fault[]): string | null {
  const slug = isObject(configuration) ? configuration['smartlinkUrl'] : null;
  const isRefused = found.some(({ path }) => path === 'configuration.smartlinkUrl');
  return typeof slug === 'string' && isSlug(slug) && !isRefused ? slug : null;
}

function faultsOf(refusal: ApiError | null): readonly Fault[] {
  return refusal === null ? [] : (refusal.details ?? [{ path: '', message: refusal.message }]);
}

async function faultsOfWork(work: Promise<unknown>): Promise<readonly Fault[]> {
  try {
    await work;
    return [];
  } catch (err) {
    return faultsOf(refusalOf(err));
  }
}

function refusalOf(err: unknown): ApiError {
  if (err instanceof ApiError) return err;
  throw err;
}

const VERDICTS_MAX = 10_000;
const VERDICT_MS = 10 * 60_000;

/** Asks about each URL once in ten minutes: a form is checked at every pause in typing. */
function rememberVerdicts(safety: UrlSafety): UrlSafety {
  const verdicts = new LRUCache<string, boolean>({ max: VERDICTS_MAX, ttl: VERDICT_MS });
  return {
    async check(urls, options) {
      const unknown = urls.filter(({ url }) => !verdicts.has(url));
      const verdict =
        unknown.length === 0 ? { unsafe: [], isChecked: true } : await safety.check(unknown, options);
      const unsafe = new Set(verdict.unsafe.map(({ url }) => url));
      const isUnsafe = (url: string): boolean => unsafe.has(url) || verdicts.get(url) === true;
      const found = { ...verdict, unsafe: urls.filter(({ url }) => isUnsafe(url)) };
      if (verdict.isChecked) for (const { url } of unknown) verdicts.set(url, unsafe.has(url));
      return found;
    },
  };
}

const EXAMPLE_URL = `${PREVIEW_PATH}/q3mT0b7xJtWcZk5n1VyRfA`;

const draftCheckSchema = () =>
  z
    .strictObject({
      faults: z.array(
        z.strictObject({
          path: z.string().meta({ description: 'Where: a dotted path.', example: 'landing.title' }),
          message: z.string().meta({ description: 'What.' }),
        }),
      ),
      url: z.string().optional().meta({
        description:
          'Path of the page, for this session alone; absent if there are faults, or while Redis is away.',
        example: EXAMPLE_URL,
      }),
      expiresAt: timestamp('The page is kept until then, or until the next draft.').optional(),
    })
    .meta({ id: 'DraftCheck' });

function previewOperation({ createBody }: Reference): Operation {
  const summary = 'Check a draft and preview its page';
  return {
    operationId: 'previewSmartlink',
    summary,
    description:
      'Checks a create (`draft`) or a PATCH (`id` and `patch`) as that call would, and writes nothing. The answer is 200 with ' +
      'the faults, with a taken address, an unsafe URL and an exhausted plan among them; their paths are those of the call. ' +
      'The address is checked beside other faults too. Each URL is judged once in ten minutes.\n\nWithout faults `url` is the ' +
      'page that visitors would get, in the `view` and the `language`, to be shown in a frame of this service for ten minutes. A ' +
      'session has one such page: the next draft replaces it. A view that the smartlink does not have is replaced by what ' +
      'visitors get there.',
    tag: 'Smartlinks',
    body: {
      schema: previewBodySchema.extend({
        draft: createBody().optional(),
        patch: z
          .looseObject({})
          .optional()
          .meta({ description: 'The body of a PATCH; its `id` may be left out.' }),
      }),
      examples: {
        draft: { summary: 'A create', value: { draft: CREATE_EXAMPLES.Landing.value, language: 'az' } },
        patch: {
          summary: 'A PATCH',
          value: { id: EXAMPLE_ID, patch: PATCH_EXAMPLES.replaceButtons.value, view: 'share' },
        },
      },
    },
    success: {
      status: 200,
      description: 'The faults; none if the call would succeed.',
      data: {
        schema: draftCheckSchema(),
        examples: {
          good: {
            summary: 'Without faults',
            message: 'Draft checked',
            data: { faults: [], url: EXAMPLE_URL, expiresAt: EXAMPLE_TIME },
          },
          taken: {
            summary: 'A taken address',
            message: 'Draft checked',
            data: {
              faults: [
                { path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' },
              ],
            },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        neither: {
          summary: 'Neither draft nor patch',
          details: [{ path: '', message: 'Must have either draft, or id and patch' }],
        },
      },
      NOT_FOUND: {},
    },
  };
}
