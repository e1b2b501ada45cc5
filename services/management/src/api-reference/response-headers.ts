import { z } from 'zod';

const text = (description: string, example: string) => z.string().meta({ description, example });
const whole = (description: string, example: number) => z.int().min(0).meta({ description, example });

/** Returns every header that answers of the API carry, by name, for `components.headers`. */
export function responseHeaders() {
  return {
    'X-Request-Id': text('Names this request; the logs have it too.', '0b6f3c1e-6a0e-4a39-9b0e-5d6e3b1c2a4f'),
    'RateLimit-Limit': whole("Requests a minute of the user's plan, over all their keys.", 600),
    'RateLimit-Remaining': whole('Requests left in the present window.', 599),
    'RateLimit-Reset': whole('Seconds until the window ends.', 60),
    'Retry-After': whole('Seconds to wait before the next try.', 12),
    'WWW-Authenticate': text('Always `Bearer`.', 'Bearer'),
    ETag: text(
      'The version of what is answered. Of one smartlink only: send it back in `If-Match`.',
      '"7301"',
    ),
    Location: text('The public address of the new smartlink, as `relink`.', 'https://sl.example.com/docs'),
    Link: text('`rel="next"`: the next page of the list. Absent on the last page.', nextPage),
    'X-Next-Cursor': text('`cursor` of the next page. Absent on the last page.', cursor),
    'Content-Disposition': text('Names the file.', 'attachment; filename="analytics.csv"'),
    Allow: text('The methods the path takes.', 'DELETE, GET, HEAD, PATCH, POST'),
  };
}

const cursor = 'MTc2MzcxMTIwMDAwMC4wMTlhYTVjNC1jMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDE';
const nextPage = `</api/v1/smartlink?limit=20&cursor=${cursor}>; rel="next"`;

/** On every answer, good or bad. */
export const ON_EVERY_ANSWER = ['X-Request-Id'] as const;

/** On every answer to a request with a valid key. */
export const ON_ANSWERS_TO_USERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** Returns references to response headers. */
export function headerReferences(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
