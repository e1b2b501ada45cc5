import { z } from 'zod';
import { flag, member, mustBe, optional } from './fields.js';
import { CACHE_SECONDS_MAX, isObject, isPermanent, REDIRECT_STATUSES } from './model.js';

/** How visitors are redirected. At least one member is set. */
export type RedirectOptions = Readonly<Partial<z.output<ReturnType<typeof redirectOptions>>>>;

const NOT_SECONDS = `Must be a whole number from 0 to ${CACHE_SECONDS_MAX}`;

/** Status, caching and query of the redirects of one smartlink. */
export function redirectOptions() {
  return member({
    status: optional(
      z.literal([...REDIRECT_STATUSES], `Must be one of ${REDIRECT_STATUSES.join(', ')}`).meta({
        description:
          'Status of the redirect. Browsers keep 301 and 308, and a visit answered from there is not counted; they are ' +
          'refused where the destination depends on the visit.',
      }),
    ),
    cacheSeconds: optional(
      z
        .number(mustBe('a number'))
        .refine((value) => Number.isInteger(value) && value >= 0 && value <= CACHE_SECONDS_MAX, NOT_SECONDS)
        .meta({
          description:
            'How long a browser may keep the redirect; 0: not at all. A visit answered from there is not counted.',
          type: 'integer',
          minimum: 0,
          maximum: CACHE_SECONDS_MAX,
        }),
    ),
    forwardQuery: optional(
      flag().meta({ description: 'Whether parameters of the visitor are added to the destination.' }),
    ),
  });
}

/**
 * `document` without options that let a browser skip a visit, where its answer may differ from the last one. The checks run
 * beside other faults.
 */
export function withoutLastingRedirect<Schema extends z.ZodObject>(document: Schema): Schema {
  const check = (name: string, message: string, isLasting: (value: unknown) => boolean) => ({
    accepts: (value: unknown) =>
      !isObject(value) ||
      !isObject(value['redirect']) ||
      !isLasting(value['redirect'][name]) ||
      !changesByVisit(value),
    params: { path: ['redirect', name], message, when: () => true },
  });
  const status = check('status', 'Must be 302 or 307 for this smartlink', isPermanent);
  const cacheSeconds = check('cacheSeconds', 'Must be 0 for this smartlink', isKept);
  return document.refine(status.accepts, status.params).refine(cacheSeconds.accepts, cacheSeconds.params);
}

const isKept = (seconds: unknown): boolean =>
  Number.isInteger(seconds) && Number(seconds) > 0 && Number(seconds) <= CACHE_SECONDS_MAX;

function changesByVisit(document: Readonly<Record<string, unknown>>): boolean {
  const { configuration, shortener, routing, availability } = document;
  const isApp = isObject(configuration) && configuration['smartlinkType'] === 'App';
  const isProtected = isObject(shortener) && shortener['protected'] === true;
  const isRouted = isObject(routing) && ['rules', 'variants'].some((name) => isFilledList(routing[name]));
  const isLimited = isObject(availability) && Object.values(availability).some(isGiven);
  return isApp || isProtected || isRouted || isLimited;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
