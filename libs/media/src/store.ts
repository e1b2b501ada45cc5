import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { checkedVariable, placeholderProblem, urlVariable } from '@smartlink/process/config';
import { failureCode, TimeLimitError, withTimeLimit } from '@smartlink/process/database';
import { syncFolder } from '@smartlink/process/files';
import { MEDIA_TYPES, parseMediaName } from './address.js';

/** The variables of the store, common to the services. */
export const mediaVariables = {
  MEDIA_DIR: z
    .string()
    .default('.data/media')
    .describe('folder of uploaded pictures, shared by management and redirect; unused with MEDIA_S3_BUCKET'),
  MEDIA_S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('bucket of uploaded pictures, in any S3-compatible store, instead of MEDIA_DIR'),
  MEDIA_S3_ENDPOINT: urlVariable('http:', 'https:')
    .optional()
    .describe('address of the S3-compatible store; that of AWS by default'),
  MEDIA_S3_REGION: z.string().min(1).default('us-east-1').describe('region of the bucket'),
  MEDIA_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe("access key of the bucket; without one those of the machine's role are used"),
  MEDIA_S3_SECRET_ACCESS_KEY: checkedVariable(placeholderProblem)
    .optional()
    .describe('secret of the access key of the bucket'),
  MEDIA_S3_PREFIX: z
    .string()
    .regex(/^[\w./-]{0,128}$/, 'expected at most 128 letters, digits and any of _ . / -')
    .default('')
    .describe('first part of every key in the bucket'),
} as const;

type MediaConfig = z.output<z.ZodObject<typeof mediaVariables>>;

/** Files of pictures by name, as `mediaName` makes them. A name always has the same bytes. */
export type MediaStore = {
  /** Resolves once a loss of power no longer loses the file. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Null if there is none. */
  readonly get: (name: string) => Promise<Buffer | null>;
  /** Of a file that was there: rejects where `get` might resolve with null because the folder itself is not there. */
  readonly has: (name: string) => Promise<boolean>;
  readonly remove: (name: string) => Promise<void>;
};

/** The folder or the bucket of the configuration. Nothing is read or written yet, and it needs no closing. */
export function openMediaStore(config: MediaConfig): MediaStore {
  const { MEDIA_S3_BUCKET: bucket } = config;
  return bucket === undefined
    ? createFolderStore(path.resolve(config.MEDIA_DIR))
    : createBucketStore(bucket, config);
}

function createFolderStore(folder: string): MediaStore {
  // 256 folders, so that none has more than some ten thousand files.
  const fileOf = (name: string): string => path.join(folder, name.slice(0, 2), name);
  const readInTurn = createReadTurns();
  const orNull = (err: unknown): null => {
    if (failureCode(err) === 'ENOENT') return null;
    throw err;
  };

  return {
    async put(name, bytes) {
      const file = fileOf(name);
      const made = await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        await writeThrough(unfinished, bytes);
        await rename(unfinished, file);
        await syncFolders(path.dirname(file), path.dirname(made ?? path.dirname(file)));
      } catch (err) {
        await rm(unfinished, { force: true });
        throw err;
      }
    },
    get: (name) => readInTurn(() => readFile(fileOf(name)).catch(orNull)),
    has: (name) =>
      readInTurn(async () => {
        if ((await stat(fileOf(name)).catch(orNull)) !== null) return true;
        await stat(folder);
        return false;
      }),
    remove: (name) => rm(fileOf(name), { force: true }),
  };
}

// A folder of the network that hangs keeps the threads of its reads, which writes to the spool need too.
const READS_MAX = 2;
const READS_WAITING_MAX = 32;
const TURN_MS_MAX = 5_000;

/** Runs at most READS_MAX reads at once; others wait up to TURN_MS_MAX. A read that hangs keeps its turn. */
function createReadTurns() {
  let running = 0;
  const waiting = new Set<() => void>();

  function waitForTurn(): Promise<void> {
    if (waiting.size >= READS_WAITING_MAX) throw new Error('Too many reads of the folder of pictures');
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new TimeLimitError(TURN_MS_MAX));
      }, TURN_MS_MAX);
      waiting.add(begin);
    });
  }

  return async function readInTurn<T>(read: () => Promise<T>): Promise<T> {
    if (running >= READS_MAX) await waitForTurn();
    else running += 1;
    try {
      return await read();
    } finally {
      const [begin] = waiting;
      if (begin === undefined) running -= 1;
      else begin();
    }
  };
}

/** From `folder` up to `top`. */
async function syncFolders(folder: string, top: string): Promise<void> {
  await syncFolder(folder);
  if (folder.length > top.length) await syncFolders(path.dirname(folder), top);
}

async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const ANSWER_MS_MAX = 10_000;
const CONNECT_MS_MAX = 2_000;

function createBucketStore(bucket: string, config: MediaConfig): MediaStore {
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `${config.MEDIA_S3_PREFIX}${name}` });
  let opened: ReturnType<typeof openBucket> | undefined;
  const open = () => (opened ??= openBucket(config));

  return {
    async put(name, bytes) {
      const { s3, sdk } = await open();
      const extension = parseMediaName(name)?.extension ?? 'webp';
      const about = { ContentType: MEDIA_TYPES[extension], ContentLength: bytes.length };
      await s3.send(new sdk.PutObjectCommand({ ...keyOf(name), ...about, Body: bytes }));
    },
    async get(name) {
      const { s3, sdk } = await open();
      try {
        const { Body: body } = await s3.send(new sdk.GetObjectCommand(keyOf(name)));
        if (body === undefined) throw new Error('The store answers without a body');
        return Buffer.from(await withTimeLimit(ANSWER_MS_MAX, body.transformToByteArray()));
      } catch (err) {
        if (err instanceof sdk.NoSuchKey) return null;
        throw err;
      }
    },
    async has(name) {
      const { s3, sdk } = await open();
      try {
        await s3.send(new sdk.HeadObjectCommand(keyOf(name)));
        return true;
      } catch (err) {
        if (err instanceof sdk.NotFound) return false;
        throw err;
      }
    },
    async remove(name) {
      const { s3, sdk } = await open();
      await s3.send(new sdk.DeleteObjectCommand(keyOf(name)));
    },
  };
}

/** Loaded only where a bucket is configured: it takes 60 ms and 15 MB. */
async function openBucket(config: MediaConfig) {
  const sdk = await import('@aws-sdk/client-s3');
  const { MEDIA_S3_ENDPOINT: endpoint, MEDIA_S3_ACCESS_KEY_ID: accessKeyId } = config;
  const { MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config;
  const s3 = new sdk.S3Client({
    region: config.MEDIA_S3_REGION,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(accessKeyId === undefined ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    // Stores other than that of AWS refuse the checksums that the client adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, requestTimeout: ANSWER_MS_MAX },
  });
  return { sdk, s3 };
}
