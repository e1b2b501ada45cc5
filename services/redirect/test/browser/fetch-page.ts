import { request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export type FetchedPage = {
  readonly status: number;
  readonly html: string;
  /** Of the body as it was sent, in brotli. */
  readonly sentBytes: number;
};

/** Asks the service for a page as browsers do; `form` is posted. */
export async function fetchPage(
  url: string,
  headers: Readonly<Record<string, string>>,
  form: string | null = null,
): Promise<FetchedPage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: form === null ? 'GET' : 'POST',
      headers: {
        'Accept-Encoding': 'gzip, deflate, br',
        'Accept-Language': 'en-GB',
        ...(form === null ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const isBrotli = response.headers['content-encoding'] === 'br';
        const html = (isBrotli ? brotliDecompressSync(body) : body).toString();
        resolve({ status: response.statusCode ?? 0, html, sentBytes: body.length });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(form ?? '');
  });
}

/** Returns the bytes that an owner's words take by themselves, in brotli as the service makes it. */
export function ownersBytes(source: unknown): number {
  const texts: string[] = [];
  JSON.stringify(source, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return brotliCompressSync(texts.join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}
