import { z } from 'zod';

const text = (description: string, example: string) => z.string().meta({ description, example });
const whole = (description: string, example: number) => z.int().min(0).meta({ description, example });

/** Returns every header that answers of the API carry, for `components.headers`; optional is what some of them lack. */
export function responseHeaders() {
  return {
    'X-Request-Id': text('Names this request; the logs have it too.', '0b6f3c1e-6a0e-4a39-9b0e-5d6e3b1c2a4f'),
    'RateLimit-Limit': whole("Requests a minute of the user's plan, over all their keys.", 600),
    'RateLimit-Remaining': whole('Requests left in the present window.', 599),
    'RateLimit-Reset': whole('Seconds until the window ends.', 60),
    'Retry-After': whole('Seconds to wait before the next try.', 12),
    Allow: text('The methods the path takes.', 'DELETE, GET, HEAD, PATCH, POST'),
    'WWW-Authenticate': text('Always `Bearer`.', 'Bearer'),
    ETag: text('The version of what is answered; of a smartlink it is what `If-Match` takes.', '"7301"'),
    ETagOfOne: text('The version of the smartlink, for `If-Match`. Absent on a list.', '"7301"').optional(),
    Location: text('The public address of the new smartlink, as `relink`.', 'https://sl.example.com/docs'),
    Link: text('`rel="next"`: the next page of the list. Absent where there is none.', nextPage).optional(),
    'X-Next-Cursor': text('`cursor` of the next page. Absent where there is none.', cursor).optional(),
    'Content-Disposition': text('Names the file.', 'inline; filename="docs.svg"'),
    CsvDisposition: text('Names the file. Only with CSV.', 'attachment; filename="analytics.csv"').optional(),
  };
}

const cursor = 'MTc2MzcxMTIwMDAwMC4wMTlhYTVjNC1jMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDE';
const nextPage = `</api/v1/smartlink?limit=20&cursor=${cursor}>; rel="next"`;

/** On every answer, good or bad. */
export const ON_EVERY_ANSWER = ['X-Request-Id'] as const;

/** On every answer to a request with a valid key. */
export const ON_ANSWERS_TO_USERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** Returns references to response headers, given as their names in `components.headers`. */
export function headerReferences(components: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    components.map((component) => [
      HEADER_OF[component] ?? component,
      { $ref: `#/components/headers/${component}` },
    ]),
  );
}

// Whether a header is always there is said by its component, so one that is at times has a second.
const HEADER_OF: Readonly<Record<string, string | undefined>> = {
  ETagOfOne: 'ETag',
  CsvDisposition: 'Content-Disposition',
};
