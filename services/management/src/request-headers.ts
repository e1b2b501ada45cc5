import type { FastifyRequest } from 'fastify';

/**
 * Returns every value of a header, one entry for each time it was sent: `request.headers` joins them or keeps the
 * first. `name` is in lower case.
 */
export function headerValues(request: FastifyRequest, name: string): readonly string[] {
  const { rawHeaders } = request.raw;
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}
