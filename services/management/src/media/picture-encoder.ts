import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MediaFile } from '@smartlink/media/address';

export const PIXELS_MAX = 40_000_000;

/**
 * Why a picture is not kept: `picture`: it is none that can be decoded; `animated`: it has several frames; `strip`: it is more
 * than 20 times as high as wide; `pixels`: it has too many; `resources`: decoding takes too much time or memory.
 */
export type PictureRefusal = 'picture' | 'animated' | 'strip' | 'pixels' | 'resources';

type EncodedFile = Pick<MediaFile, 'width' | 'extension'>;

/** The first line of the child's output; the files follow it in their order. */
export type ChildAnswer =
  | { readonly refusal: PictureRefusal }
  | {
      /** Of the largest file. */
      readonly width: number;
      readonly height: number;
      readonly files: readonly (EncodedFile & { readonly bytes: number })[];
    };

export type EncodedPicture = {
  readonly width: number;
  readonly height: number;
  readonly files: readonly (EncodedFile & { readonly data: Buffer })[];
};

export type PictureEncoder = {
  /** Rejects when the child fails, which is no fault of the picture. */
  readonly encode: (bytes: Buffer) => Promise<EncodedPicture | PictureRefusal>;
  /** Ends the child. */
  readonly close: () => void;
};

const MIB = 1024 * 1024;
const MEMORY_BYTES_MAX = 512 * MIB;
const ENCODE_MS_MAX = 10_000;
const MEMORY_CHECK_INTERVAL_MS = 20;
/** Above all that 6.4 megapixels can be encoded to. */
const OUTPUT_BYTES_MAX = 64 * MIB;

// Both src and dist are next to dist: tests run from the sources, but a process needs compiled code.
const CHILD = fileURLToPath(new URL('../../dist/media/picture-child.js', import.meta.url));

/** Decodes and encodes pictures, one at a time, each in a child process of its own. */
export function createPictureEncoder({
  memoryBytesMax = MEMORY_BYTES_MAX,
  encodeMsMax = ENCODE_MS_MAX,
}: { readonly memoryBytesMax?: number; readonly encodeMsMax?: number } = {}): PictureEncoder {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  return {
    encode(bytes) {
      const encoded = last.then(() =>
        runChild(bytes, { memoryBytesMax, encodeMsMax, signal: closing.signal }),
      );
      last = encoded.catch(() => undefined);
      return encoded;
    },
    close() {
      closing.abort();
    },
  };
}

type Limits = {
  readonly memoryBytesMax: number;
  readonly encodeMsMax: number;
  readonly signal: AbortSignal;
};

async function runChild(
  bytes: Buffer,
  { memoryBytesMax, encodeMsMax, signal }: Limits,
): Promise<EncodedPicture | PictureRefusal> {
  signal.throwIfAborted();
  // Without the process's environment, which holds secrets.
  const child = spawn(process.execPath, ['--max-old-space-size=128', CHILD], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let isOverLimit = false;
  const end = (): void => {
    isOverLimit = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(end, encodeMsMax);
  const memoryChecks = setInterval(() => {
    void residentBytes(child.pid).then((resident) => {
      if (resident > memoryBytesMax) end();
    });
  }, MEMORY_CHECK_INTERVAL_MS);
  const chunks: Buffer[] = [];
  let outputBytes = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > OUTPUT_BYTES_MAX) end();
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(0, 1_000);
  });
  // It may end without reading all.
  child.stdin.on('error', () => undefined);
  child.stdin.end(bytes);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (isOverLimit) return 'resources';
    if (exitCode !== 0) throw new Error(`A picture cannot be decoded: ${complaint}`);
    return readOutput(Buffer.concat(chunks));
  } finally {
    clearTimeout(timer);
    clearInterval(memoryChecks);
  }
}

function readOutput(output: Buffer): EncodedPicture | PictureRefusal {
  const end = output.indexOf('\n');
  const answer = JSON.parse(output.toString('utf8', 0, end)) as ChildAnswer;
  if ('refusal' in answer) return answer.refusal;
  let at = end + 1;
  const files = answer.files.map(({ bytes, ...file }) => {
    const data = output.subarray(at, at + bytes);
    at += bytes;
    return { ...file, data };
  });
  return { width: answer.width, height: answer.height, files };
}

/** 0 on systems without /proc, where the limit of pixels bounds the memory alone. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${String(pid)}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
