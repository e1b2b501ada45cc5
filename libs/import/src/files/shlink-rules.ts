import { isObject } from '@smartlink/smartlink/model';
import type { JsonObject } from './import-row.js';
import { toCount, toMoment, toText } from './values.js';

// Rules of Shlink, as GET /rest/v3/short-urls/{shortCode}/redirect-rules answers them (`redirectRules`: longUrl, priority and
// conditions of type, matchKey and matchValue; RedirectConditionType.php in shlinkio/shlink), and `deviceLongUrls` of its
// third version.

type When = Readonly<Record<string, unknown>>;

/** Its names of devices (DeviceType.php), of which those with Android's User-Agent are Android. */
const DEVICES: ReadonlyMap<string, When> = new Map<string, When>([
  ['android', { systems: ['Android', 'Fire OS', 'HarmonyOS'] }],
  ['ios', { systems: ['iOS'] }],
  ['mobile', { devices: ['mobile', 'tablet'] }],
  ['windows', { systems: ['Windows'] }],
  ['macos', { systems: ['macOS'] }],
  ['linux', { systems: ['Linux'] }],
  ['chromeos', { systems: ['Chrome OS'] }],
  ['desktop', { devices: ['desktop'] }],
]);

const LOST_CONDITION = 'its redirect rules with a condition that has no equivalent are not kept';
const LOST_RULES = 'its redirect rules are not in the file, and not kept';

/** `routing` of a smartlink from the rules of a record, undefined without any, and what is lost of them. */
export function readShlinkRules(record: JsonObject): { routing: object | undefined; losses: string[] } {
  const { redirectRules, deviceLongUrls, hasRedirectRules } = record;
  const given = Array.isArray(redirectRules) ? redirectRules.filter(isObject) : [];
  const sorted = given.toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const read = sorted.map((rule) => ({
    url: toText(rule['longUrl']),
    when: readConditions(rule['conditions']),
  }));
  const kept = read.filter(({ url, when }) => url !== null && when !== null);
  const rules = [...kept, ...readDeviceUrls(deviceLongUrls)];
  return {
    routing: rules.length === 0 ? undefined : { rules },
    losses: [
      ...(kept.length < read.length ? [LOST_CONDITION] : []),
      ...(hasRedirectRules === true && !Array.isArray(redirectRules) ? [LOST_RULES] : []),
    ],
  };
}

function priorityOf({ priority }: JsonObject): number {
  const count = toCount(priority);
  return typeof count === 'number' ? count : Infinity;
}

function readDeviceUrls(urls: unknown): { url: string; when: When }[] {
  if (!isObject(urls)) return [];
  return Object.entries(urls).flatMap(([device, value]) => {
    const url = toText(value);
    const when = DEVICES.get(device);
    return url === null || when === undefined ? [] : [{ url, when }];
  });
}

/** null if one has no equivalent, or two are of one kind: all of Shlink's conditions must fit, of a list here one. */
function readConditions(conditions: unknown): When | null {
  if (!Array.isArray(conditions) || conditions.length === 0) return null;
  const when: Record<string, unknown> = {};
  for (const condition of conditions as unknown[]) {
    const read = isObject(condition) ? readCondition(condition) : null;
    if (read === null || Object.keys(read).some((name) => Object.hasOwn(when, name))) return null;
    Object.assign(when, read);
  }
  return when;
}

function readCondition({ type, matchKey, matchValue }: JsonObject): When | null {
  const [name, value] = [toText(matchKey), toText(matchValue)];
  switch (type) {
    case 'device':
      return DEVICES.get(value?.toLowerCase() ?? '') ?? null;
    case 'language':
      return value === null ? null : { languages: [value.replace('_', '-')] };
    case 'query-param':
      return name === null ? null : { query: [{ name, value: value ?? '' }] };
    case 'any-value-query-param':
      return name === null ? null : { query: [{ name }] };
    case 'valueless-query-param':
      return name === null ? null : { query: [{ name, value: '' }] };
    case 'geolocation-country-code':
      return value === null ? null : { countries: [value] };
    case 'after-date':
      return readDate('from', value);
    case 'before-date':
      return readDate('until', value);
    default:
      return null;
  }
}

function readDate(name: 'from' | 'until', value: string | null): When | null {
  const moment = toMoment(value);
  return moment instanceof Date ? { [name]: moment.toISOString() } : null;
}
