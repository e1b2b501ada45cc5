import type { Section } from './statement.js';
import * as t from './test-files.js';

const VALIDATION = t.envelope(
  'a failure of 400 VALIDATION_FAILED says "Request validation failed" and nothing more',
);

/** decisions.md: the order of checks, and what each case is answered with. */
export const HTTP: readonly Section[] = [
  {
    title: 'The order of checks',
    statements: {
      'order-key': [
        'The key is checked before everything else',
        t.order('the key comes before everything else'),
      ],
      'order-limit': [
        'Then the rate limit, before routing, JSON and schema',
        t.order('the rate limit comes before routing, JSON and schema'),
      ],
      'order-routing': ['Then routing, before JSON', t.order('routing comes before JSON')],
      'order-json': ['Then JSON, before the schema', t.order('JSON comes before the schema')],
      'order-schema': [
        'Then the schema, before the replay by Idempotency-Key',
        t.order('of a create the schema comes before the replay'),
      ],
      'order-replay': [
        'Then the replay, before plan, URL safety and uniqueness',
        t.order('of a create the replay comes before plan, URL safety and uniqueness'),
      ],
      'order-ownership': [
        'Of a PATCH ownership is checked before the merged document',
        t.order('of a PATCH ownership comes before the merged document'),
      ],
      'order-merged': [
        'The merged document is checked before URL safety, and that before uniqueness',
        t.order('of a PATCH the merged document comes before URL safety, and that before uniqueness'),
      ],
      'order-plan': [
        'Of a create the plan is checked before URL safety and uniqueness',
        t.order(
          'of a create the schema comes before the plan, and the plan before URL safety and uniqueness',
        ),
      ],
      'order-safety': [
        'Of a create URL safety is checked before uniqueness',
        t.order('of a create URL safety comes before uniqueness'),
      ],
      'order-every-path': [
        'Who has no valid key gets 401 from all of /api/v1, be the path known or not, by any method',
        t.authentication('authentication comes before routing …'),
      ],
      'order-openapi': [
        'Only /api/v1/openapi.json needs no key',
        t.apiReference(
          'GET /api/v1/openapi.json needs no key, counts towards no limit and is not changed by a bad key',
        ),
        t.apiReference('GET /api/v1/openapi.json leaves every path beside it behind the key'),
      ],
    },
  },
  {
    title: 'Status codes, codes and messages',
    statements: {
      'code-200': [
        'list, fetch, patch, delete and analytics are 200 in the success envelope',
        t.envelope('a success of …'),
      ],
      'code-201': [
        'create is 201, with Location: the relink',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
      ],
      'code-400-body': [
        'A body that breaks a rule, no JSON or no object is 400 VALIDATION_FAILED',
        VALIDATION,
        t.requestBodies('POST of …'),
        t.requestBodies('PATCH of …'),
        t.requestBodies('DELETE of …'),
      ],
      'code-400-query': [
        'A bad value in the query is 400 VALIDATION_FAILED at the parameter’s name',
        t.read('the list limit=0 is 400 at its name'),
        t.read('the list status=active is 400 at its name'),
        t.analytics('bad queries are VALIDATION_FAILED with every fault'),
      ],
      'code-400-all': [
        'Every fault is told at once',
        t.createRules('what a create refuses is told all at once'),
        t.patch('merging lists every fault of the merged document at once'),
        t.fields('is a fault at its path: each of many, in one answer, with array indexes in their paths'),
        t.analytics('bad queries are VALIDATION_FAILED with every fault'),
        t.qr('a bad parameter is told at its name: all of them at once'),
      ],
      'code-400-path': [
        'A path joins names and array indexes by dots, as in qrMenu.categories.0.items.1.price',
        t.fields('is a fault at its path: each of many, in one answer, with array indexes in their paths'),
      ],
      'code-400-object': [
        'A required object that is missing is one fault, at its own path',
        t.validation('names a missing required object once, at its own path'),
        t.refused('no shortener'),
        t.limit('landing'),
        t.limit('qrTag'),
        t.limit('digiCard'),
        t.limit('txtBin'),
        t.limit('qrMenu'),
      ],
      'code-400-prototype': [
        'The keys __proto__ and constructor are bad JSON, at any depth',
        t.requestBodies('POST of __proto__ is bad JSON'),
        t.requestBodies('POST of __proto__, escaped is bad JSON'),
        t.requestBodies('PATCH of constructor is bad JSON'),
        t.requestBodies('DELETE of constructor is bad JSON'),
      ],
      'code-401-malformed': [
        'A missing or malformed key is 401 UNAUTHORIZED, Invalid API key format, with WWW-Authenticate: Bearer',
        t.authentication('a key that is missing or malformed …'),
      ],
      'code-401-bearer': [
        'The word Bearer is taken in any case',
        t.authentication('a key that is good is taken after …'),
      ],
      'code-401-unknown': [
        'An unknown, revoked or expired key is 401 UNAUTHORIZED, Invalid API key',
        t.authentication(
          'a key that is well-formed and not valid unknown, expired, revoked and an erased user answer the same',
        ),
        t.authentication(
          'a key that is well-formed and not valid a revocation holds for a key that was just used',
        ),
      ],
      'code-403-plan': [
        'What the plan forbids is 403 PLAN_RESTRICTED',
        t.envelope(
          'a failure of 403 PLAN_RESTRICTED says "Your plan does not include this" and nothing more',
        ),
        t.errors('PLAN_RESTRICTED is HTTP 403'),
      ],
      'code-403-limit': [
        'A create over the plan’s limit is 403 SUBSCRIPTION_LIMIT_REACHED, Subscription limit reached',
        t.races('the limit of …'),
      ],
      'code-404-id': [
        'An unknown or foreign id, and a deleted one in a write, is 404 NOT_FOUND',
        t.read('a fetch of the unknown id x is 404'),
        t.patch('a deleted smartlink is 404'),
        t.deletion('twice, and of any unknown id, is 404 without details'),
        t.status('an unknown, foreign or deleted link is 404'),
      ],
      'code-404-route': ['An unknown route is 404 NOT_FOUND', t.routing('a path nothing answers …')],
      'code-404-same': [
        'A foreign id is answered as an unknown one, byte for byte but for timestamp and request id',
        t.tenants('an id that is not one of the caller’s own says nothing, wherever it is given'),
        t.read('a fetch of a foreign id answers what an unknown id answers, byte for byte'),
        t.analytics(
          "another owner's link answers as an unknown one, byte for byte, and none of its visits show",
        ),
        t.qr('the image of an unknown or foreign id answers as a fetch does'),
      ],
      'code-405': [
        'Another method is 405 METHOD_NOT_ALLOWED with Allow',
        t.routing('a method the path does not take …'),
      ],
      'code-409': [
        'A taken smartlinkUrl is 409 SMARTLINK_URL_TAKEN with one detail, at configuration.smartlinkUrl',
        t.conflicts('a slug that is taken, in any case and by anybody, is 409 and stores nothing'),
        t.rename('to the address or an alias of another live link is 409, in any case, and changes nothing'),
      ],
      'code-400-reserved': [
        'A reserved smartlinkUrl is 400 VALIDATION_FAILED at the same path, in any case',
        t.refused('reserved …'),
        t.rename('to a reserved word in any case is a fault'),
      ],
      'code-413': [
        'A body that is too large is 413 PAYLOAD_TOO_LARGE',
        t.requestBodies('POST of a MiB and a byte is 413, with its length or in chunks'),
        t.envelope('a failure of 413 PAYLOAD_TOO_LARGE says "Request body is too large" and nothing more'),
      ],
      'code-415': [
        'Another media type is 415 UNSUPPORTED_MEDIA_TYPE',
        t.requestBodies('POST with the media type …'),
        t.requestBodies('PATCH compressed is 415, however much is in it'),
      ],
      'code-422': [
        'A URL that the safety provider judges unsafe is 422 UNSAFE_URL, with a detail for each such URL',
        t.urlSafety('a create with an unsafe …'),
        t.urlSafety('every unsafe URL has its detail'),
        t.urlSafety('a patch is refused for the URLs that it brings, not for those that were there'),
      ],
      'code-429': [
        'Over the rate limit it is 429 RATE_LIMITED with Retry-After',
        t.rateLimit(
          'the requests of a minute are shared by all keys of a user and all processes, and the 61st of Starter is 429',
        ),
      ],
      'code-429-headers': [
        'RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset (in seconds) are on every answer to a valid key',
        t.rateLimit('the requests of a minute are told on every answer to a user, good or bad'),
        t.rateLimit('the requests of a minute of …'),
      ],
      'code-500': [
        'A fault of the service is 500 INTERNAL_ERROR and tells nothing of its inside',
        t.postgresFaults(
          'when smartlinks cannot be written nothing else is, and the answer tells no internals',
        ),
        t.errors('INTERNAL_ERROR is HTTP 500'),
      ],
      'code-503': [
        'A dependency that is down is 503 SERVICE_UNAVAILABLE and tells nothing of its inside',
        t.postgresFaults('without Postgres after kill the API is 503, and is back with it'),
        t.health(
          'without Postgres it is not ready and says why, the API is 503 without internals, and metrics stay',
        ),
        t.analyticsOutage(
          'a ClickHouse that never answers is given up on, and what the visitor is told holds no internals',
        ),
      ],
      'request-id': [
        'Every answer has an X-Request-Id',
        t.routing('every answer has an X-Request-Id of its own, and no client chooses it'),
        t.routing('what Node itself would answer is in the envelope too …'),
        t.envelope('a success of …'),
        t.envelope('a failure of …'),
      ],
      'known-messages': [
        'The messages that clients know are kept: for a URL, for the characters of a slug, for an unknown smartlink',
        t.refused('a bad image'),
        t.refused('slug "a-b"'),
        t.patch('an unknown id is 404: "x"'),
      ],
      'no-details': ['There are no details where the specification has none', t.envelope('a failure of …')],
    },
  },
  {
    title: 'Ids, times, CORS',
    statements: {
      'id-any': [
        'Any text that is not empty may be an id; one that matches nothing is 404, whatever its form or length',
        t.read('a fetch of the unknown id …'),
        t.patch('an unknown id is 404: …'),
        t.deletion('twice, and of any unknown id, is 404 without details'),
      ],
      'id-missing': [
        'A missing, empty, repeated or other id is 400 at id, or at smartlinkId for DELETE',
        t.patch('{"id":"" …'),
        t.patch('{"id":["x"]} is 400 at ["id"]'),
        t.deletion('takes smartlinkId and not id; every fault is 400 at smartlinkId'),
        t.status('an empty id is refused'),
        t.analytics('bad queries are VALIDATION_FAILED with every fault'),
        t.qr('a bad parameter is told at its name: a missing, empty or repeated id'),
      ],
      'id-empty-query': [
        'GET /smartlink with an empty id is 400 and never the list',
        t.read('a fetch with …'),
      ],
      'times-utc': [
        'Times are UTC with milliseconds and Z',
        t.create('a valid create answers 201 with the whole Smartlink, Location and ETag'),
        t.envelope('a success of …'),
        t.analyticsRecord('the summary has the documented members and no others, and a paused link too'),
      ],
      cors: [
        'CORS is off unless CORS_ORIGINS lists an origin',
        t.cors(
          'without CORS_ORIGINS no answer allows any origin, and a preflight is 401 like all without a key',
        ),
        t.cors('a preflight of a listed origin is answered before authentication'),
        t.cors('the origin …'),
      ],
    },
  },
];
