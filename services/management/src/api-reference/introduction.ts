import { statusOf } from '../errors.js';
import type { Tag } from '../operation.js';
import { ERROR_CODES, WHEN } from './failures.js';

/** The groups of operations, in the order of the page. */
export const TAGS: { name: Tag; description: string }[] = [
  { name: 'Smartlinks', description: 'Create, read, change, pause and delete smartlinks.' },
  { name: 'Analytics', description: 'Who came: clicks, QR scans and fallbacks.' },
  { name: 'QR codes', description: 'The printed form of an address.' },
  { name: 'Webhooks', description: 'Messages to your own servers when something happens.' },
  { name: 'Account', description: 'The key itself.' },
  { name: 'Reference', description: 'This document.' },
];

/** Returns what stands above the operations, as Markdown. */
export function introduction(): string {
  return [...PARAGRAPHS, '## Error codes', table()].join('\n\n');
}

const PARAGRAPHS = [
  'Smartlinks are short public addresses that lead every visitor to the right place. This is the API that makes and ' +
    'measures them.',
  '## Requests',
  'Every request carries a key: `Authorization: Bearer <key>`. Bodies are JSON in UTF-8, at most 1 MiB, nested at most ' +
    '16 deep, with `Content-Type: application/json`. Lengths count Unicode code points. Members that a schema does not ' +
    'name are ignored, unknown query parameters too. On create, `null` is the same as leaving a field out. `HEAD` works wherever `GET` does.',
  '## Answers',
  'A success is `{success: true, message, data, timestamp}`, a failure `{success: false, error: {code, message, ' +
    'details?}, timestamp}`: look at `success` first, and tell failures apart by `code`; messages are for people. Times ' +
    'are UTC with milliseconds. Every answer has an `X-Request-Id`. What is no HTTP, has too large headers or does not ' +
    'come in time is told in the same envelope, with 400, 431 or 408.',
  '## Limits',
  'Requests are counted per user and minute; the plan says how many. `RateLimit-Limit`, `RateLimit-Remaining` and ' +
    '`RateLimit-Reset` stand on every answer to a valid key, and a 429 has `Retry-After`.',
  '## Versions',
  'The version of the API is part of the path: `/api/v1`.',
];

function table(): string {
  const rows = ERROR_CODES.map((code) => `| ${statusOf(code)} | \`${code}\` | ${WHEN[code]} |`);
  return ['| status | code | when |', '| --- | --- | --- |', ...rows].join('\n');
}
