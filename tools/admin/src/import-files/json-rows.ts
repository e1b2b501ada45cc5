import { isObject } from '@smartlink/smartlink/is-object';
import { parseStrictJson } from '@smartlink/smartlink/strict-json';
import type { RowReader } from './csv-rows.js';
import { fromForeign } from './foreign-link.js';
import type { ForeignOptions } from './foreign-link.js';
import { refusal, refusedRow, slugIn } from './import-row.js';
import type { ImportRow, JsonObject, ReadLink, Refusal } from './import-row.js';
import { ElementScanner } from './json-elements.js';
import type { JsonElement } from './json-elements.js';
import { createLineSplitter } from './json-lines.js';
import { isFlatLink, readFlatLink } from './own-csv.js';
import type { Layout } from './recognise-format.js';
import { SERVICES, SERVICE_NAMES } from './services.js';

/** Returns the reader of a JSON file's rows. Each is parsed by itself, as strictly as the API parses a body. */
export function jsonRowReader(
  { format, rowsAt, isLinewise }: Layout & { kind: 'json' },
  options: ForeignOptions,
): RowReader {
  const service = SERVICE_NAMES.find((name) => `${name}-json` === format);
  const read = (record: JsonObject): ReadLink | Refusal =>
    service === undefined
      ? readOwn(record)
      : fromForeign(SERVICES[service].read(record, options.now), options);
  const scanner = isLinewise ? createLineSplitter() : new ElementScanner(rowsAt);
  let rowNumber = 0;
  const toRows = (elements: readonly JsonElement[]): ImportRow[] =>
    elements.map((element) => {
      rowNumber += 1;
      return toRow(element, rowNumber, read);
    });
  return { push: (chunk) => toRows(scanner.push(chunk)), end: () => toRows(scanner.end()) };
}

function toRow(
  element: JsonElement,
  rowNumber: number,
  read: (record: JsonObject) => ReadLink | Refusal,
): ImportRow {
  const place = { rowNumber, line: element.line };
  if (element.bytes === null) return refusedRow(place, element.problem, element.endsHere);
  const parsed = parseStrictJson(element.bytes);
  if (!parsed.ok) {
    const [fault] = parsed.faults;
    // A path ends in keys of the file's own making, so it stays out of what people are shown.
    return refusedRow(place, `cannot be read: ${fault?.message ?? 'it is no JSON'}`, !element.isEnded);
  }
  if (!isObject(parsed.value)) return refusedRow(place, 'is no JSON object');
  const result = read(parsed.value);
  return 'reason' in result ? refusedRow(place, result) : { ...place, outcome: 'read', ...result };
}

/** A create body; `export` beside its members is what our own export knows of the link besides. */
function readOwn({ export: more, ...body }: JsonObject): ReadLink | Refusal {
  if (more === undefined) return isFlatLink(Object.keys(body)) ? readFlatLink(body) : { body };
  return isObject(more) ? { body, more } : refusal('has a member export that is no object', slugIn(body));
}
