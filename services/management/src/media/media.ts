import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { MEDIA_PATH, mediaName, mediaWidths } from '@smartlink/media/address';
import { type MediaStore, openMediaStore } from '@smartlink/media/store';
import { withTransaction } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { LOCK_USER } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { changeCollection, requireOwn, sendPage } from '../collections/collection.js';
import type { Config } from '../config.js';
import { success } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import { streamBodies } from '../plugins/uploads.js';
import { decodeCursor, encodeCursor, parseBody, parseQuery } from '../requests.js';
import { listQuerySchema, mediaOperations, removeBodySchema } from './operations.js';
import {
  createPictureEncoder,
  type EncodedPicture,
  type PictureEncoder,
  type PictureRefusal,
  PIXELS_MAX,
} from './picture-encoder.js';
import {
  addMedia,
  countMediaBytes,
  FIND_MEDIA,
  findStored,
  isUsed,
  listMedia,
  type MediaRow,
  setStored,
} from './queries.js';
import { PICTURE_UPLOAD, readPicture } from './read-picture.js';
import { startRemovals } from './removals.js';

const read: Access = { scope: 'links:read', role: 'Viewer' };
const write: Access = { scope: 'links:write', role: 'Editor' };

type MediaOptions = {
  readonly config: Config;
  /** False in the thread of heavy requests, which alone reads uploads. */
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** GET, POST and DELETE /media, and the job that removes pictures. */
export function media(app: FastifyInstance, { config, runsJobs, log }: MediaOptions, done: () => void): void {
  const { pg } = app;
  const store = openMediaStore(config);
  const encoder = createPictureEncoder();
  const operations = mediaOperations();
  const toView = (row: MediaRow) => viewOf(row, config.PUBLIC_BASE_URL);
  const job = runsJobs ? startRemovals(pg, store, log) : null;
  app.addHook('onClose', async () => {
    encoder.close();
    await job?.stop();
  });

  app.get('/media', { config: { operation: operations.list, access: read } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const { userId } = principalOf(request);
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
    const page = { path: '/media', query, message: 'Media retrieved' };
    return sendPage(reply, page, {
      find: async (limit) => (await listMedia(pg, userId, { after, limit })).map(toView),
      cursorOf: ({ id, createdAt }) => encodeCursor({ id, time: createdAt }),
    });
  });

  app.register((uploads, _options, registered) => {
    streamBodies(uploads);
    uploads.post(
      '/media',
      { config: { operation: operations.create, access: write, upload: PICTURE_UPLOAD } },
      async (request, reply) => {
        const bytes = await readPicture(request);
        const row = await storePicture({ pg, store, encoder }, principalOf(request), bytes);
        return reply.code(201).send(success('Media stored', toView(row)));
      },
    );
    registered();
  });

  app.delete('/media', { config: { operation: operations.remove, access: write } }, async (request) => {
    const { mediaId } = parseBody(removeBodySchema, request);
    await changeCollection(pg, principalOf(request), findMedia, async (client, userId) => {
      const { hash } = await findMedia(client, mediaId, userId);
      if (await isUsed(client, userId, hash)) throw new ApiError('MEDIA_IN_USE');
      await client.query('delete from media where id = $1', [mediaId]);
      return { id: null, audit: ['media.delete', { mediaId }] };
    });
    return success('Media deleted', null);
  });
  done();
}

const findMedia = (db: Parameters<typeof requireOwn>[0], id: string, userId: string) =>
  requireOwn<MediaRow>(db, FIND_MEDIA, { id, userId, noun: 'Media' });

function viewOf({ id, hash, width, height, extension, bytes, createdAt }: MediaRow, publicBaseUrl: string) {
  const addressOf = (each: number, name: 'webp' | MediaRow['extension']): string =>
    `${publicBaseUrl}${MEDIA_PATH}${mediaName({ hash, width: each, extension: name })}`;
  return {
    id,
    url: addressOf(width, extension),
    width,
    height,
    bytes,
    sizes: mediaWidths(width).map((each) => ({ width: each, url: addressOf(each, 'webp') })),
    createdAt,
  };
}

type StoreDeps = { readonly pg: Pool; readonly store: MediaStore; readonly encoder: PictureEncoder };

/** Rejects with VALIDATION_FAILED, PAYLOAD_TOO_LARGE or SUBSCRIPTION_LIMIT_REACHED. */
async function storePicture(deps: StoreDeps, principal: Principal, bytes: Buffer): Promise<MediaRow> {
  const { pg, store, encoder } = deps;
  const { userId } = principal;
  const sha256 = createHash('sha256').update(bytes).digest();
  const known = await findStored(pg, userId, sha256);
  if (known !== null) return known;
  // Before the work; the transaction decides.
  if (isFull(principal, await countMediaBytes(pg, userId), 1)) throw full();
  const picture = await encoder.encode(bytes);
  if (typeof picture === 'string') throw REFUSALS[picture]();

  const row = await addPicture(pg, principal, picture, sha256);
  for (const { width, extension, data } of picture.files) {
    await store.put(mediaName({ hash: row.hash, width, extension }), data).catch(unavailable);
  }
  // The account was deleted.
  if (!(await setStored(pg, row))) throw new ApiError('NOT_FOUND', { message: 'Media not found' });
  return row;
}

/** Adds a picture whose files are still to be written. Rejects with SUBSCRIPTION_LIMIT_REACHED. */
export function addPicture(
  pg: Pool,
  principal: Principal,
  { width, height, files }: EncodedPicture,
  sha256: Buffer,
): Promise<MediaRow> {
  const { userId, actor } = principal;
  const bytes = files.reduce((sum, { data }) => sum + data.length, 0);
  const extension = files.some((file) => file.extension === 'png') ? 'png' : 'jpg';
  return withTransaction(pg, async (client) => {
    await client.query(LOCK_USER, [userId]);
    const { isKnown, ...row } = await addMedia(client, userId, { sha256, width, height, extension, bytes });
    if (isFull(principal, await countMediaBytes(client, userId), 0)) throw full();
    if (!isKnown) await addAuditEntry(client, { actor, userId }, 'media.create', { mediaId: row.id });
    return row;
  });
}

function isFull({ plan: { mediaBytesMax } }: Principal, usedBytes: number, moreBytes: number): boolean {
  return mediaBytesMax !== null && usedBytes + moreBytes > mediaBytesMax;
}

const full = () => new ApiError('SUBSCRIPTION_LIMIT_REACHED');

function unavailable(cause: unknown): never {
  throw new ApiError('SERVICE_UNAVAILABLE', { cause });
}

const tooMuch = (message: string) => new ApiError('PAYLOAD_TOO_LARGE', { message });

const REFUSALS: Readonly<Record<PictureRefusal, () => ApiError>> = {
  picture: () => fault('file', 'Must be a picture'),
  animated: () => fault('file', 'Animated pictures are not kept'),
  strip: () => fault('file', 'Must be at most 20 times as high as wide'),
  pixels: () => tooMuch(`A picture has at most ${PIXELS_MAX / 1_000_000} megapixels`),
  resources: () => tooMuch('This picture takes too much time or memory to decode'),
};
