import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { RedisConnection } from '@smartlink/links/redis';
import { readPageFiles } from '@smartlink/pages/assets';
import { renderPage } from '@smartlink/pages/render-page';
import { createSite, type Language, type Page, type PageSource, type Site } from '@smartlink/pages/site';
import { baseUrlOf } from '@smartlink/smartlink/model';
import { unauthorized } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    draftPages: DraftPages;
  }
}

export const DRAFT_VIEWS = ['own', 'password', 'share', 'preview'] as const;

export type Draft = {
  readonly source: PageSource;
  readonly view: (typeof DRAFT_VIEWS)[number];
  /** Host of its custom domain; null: the own host of the instance. */
  readonly domain: string | null;
  readonly language: Language;
};

export const PREVIEW_PATH = '/dashboard/preview';

type DraftPages = ReturnType<typeof createDraftPages>;

type DraftPagesOptions = Pick<Site, 'publicBaseUrl' | 'abuseContactUrl'> & { readonly keyPrefix: string };

/** `app.draftPages`: pages of drafts, in Redis, because any process may serve them. */
export const draftPages = fp<DraftPagesOptions>(
  (app, options, done) => {
    app.decorate('draftPages', createDraftPages(app.redis, options));
    done();
  },
  { name: 'draft-pages', dependencies: ['redis'] },
);

const KEPT_SECONDS = 600;
const ID_BYTES = 16;
const compress = promisify(gzip);

function createDraftPages(redis: RedisConnection, { keyPrefix, ...own }: DraftPagesOptions) {
  const { script, shareImagePaths } = readPageFiles();
  const scriptPath = `${PREVIEW_PATH}/${script.name}`;
  const site = createSite({ ...own, scriptPath, shareImagePaths, isForDrafts: true });
  const keyOf = (sessionId: string): string => `${keyPrefix}draft:${sessionId}`;

  return {
    script,
    /**
     * Makes the page of a draft and keeps it for ten minutes, in place of the last one of the session. Without Redis it is not
     * kept, and `place` is empty.
     */
    async keep(sessionId: string, draft: Draft) {
      const { html, policy, language } = pageOf(draft, site);
      const id = randomBytes(ID_BYTES).toString('base64url');
      const plain = Buffer.from(withoutAutofocus(html));
      const about = JSON.stringify({ id, policy: policyInFrame(policy), language } satisfies About);
      const kept = Buffer.concat([Buffer.from(`${about}\n`), await compress(plain)]);
      const expiresAt = new Date(Date.now() + KEPT_SECONDS * 1_000).toISOString();
      const place = await redis.set(keyOf(sessionId), kept, 'EX', KEPT_SECONDS).then(
        () => ({ url: `${PREVIEW_PATH}/${id}`, expiresAt }),
        () => ({}),
      );
      return { place, pageBytes: plain.length };
    },
    /** The page that the session keeps under the id, compressed; null if it keeps another one or none. Rejects without Redis. */
    async find(sessionId: string, id: string): Promise<(About & { readonly gzip: Buffer }) | null> {
      const kept = await redis.getrangeBuffer(keyOf(sessionId), 0, -1);
      const end = kept.indexOf('\n');
      if (end === -1) return null;
      const about = JSON.parse(kept.toString('utf8', 0, end)) as About;
      return about.id === id ? { ...about, gzip: kept.subarray(end + 1) } : null;
    },
  };
}

type About = Pick<Page, 'policy' | 'language'> & { readonly id: string };

/** The page of the view; of a view that the link does not have, the page that visitors get there. */
function pageOf({ source, view, language, domain }: Draft, instance: Site): Page {
  const site = { ...instance, publicBaseUrl: baseUrlOf(instance.publicBaseUrl, domain) };
  for (const each of [view, 'own', 'password', 'preview'] as const) {
    const page = renderPage(source, each, language, site);
    if (page !== null) return page;
  }
  throw new Error('BUG: a link has no preview page');
}

/** The page's own policy for a frame of the dashboard, where the page has an opaque origin. */
function policyInFrame(policy: string): string {
  return `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox allow-scripts`;
}

/** A frame of another origin may not take the focus, and browsers log each try. */
const withoutAutofocus = (html: string): string => html.replace(/(<input[^>]*) autofocus(?=[ >])/, '$1');

const decompress = promisify(gunzip);
const GZIP = /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i;

/** The pages of drafts, for the session that made them, and their script, which the frame loads without a cookie. */
export function draftPageRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { draftPages } = app;
  const { name, bytes } = draftPages.script;

  app.get(`/${name}`, (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    // The page in the frame has an origin of its own.
    void reply.header('cross-origin-resource-policy', 'cross-origin');
    return reply.type('text/javascript; charset=utf-8').send(bytes);
  });
  app.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
    const credential = request.principal?.credential;
    if (credential?.kind !== 'session') throw unauthorized('Session expired');
    const found = await draftPages.find(credential.id, request.params.id).catch((cause: unknown) => {
      throw new ApiError('SERVICE_UNAVAILABLE', { cause });
    });
    if (found === null) throw new ApiError('NOT_FOUND', { message: 'Preview not found' });
    void reply.headers({
      'content-security-policy': found.policy,
      'content-language': found.language,
      'referrer-policy': 'no-referrer',
      vary: 'accept-encoding',
    });
    void reply.type('text/html; charset=utf-8');
    if (!GZIP.test(request.headers['accept-encoding'] ?? '')) return reply.send(await decompress(found.gzip));
    return reply.header('content-encoding', 'gzip').send(found.gzip);
  });
  done();
}
