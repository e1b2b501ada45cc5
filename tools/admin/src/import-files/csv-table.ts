import type { CellReader } from './import-row.js';
import { fromForeign } from './foreign-link.js';
import type { ForeignOptions, Service } from './foreign-link.js';

/** Returns a column's name as services' exports are told by: lower case, letters and digits. */
export function columnKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Returns the members that the columns of a heading hold for this service; null for a column it does not know. */
export function membersOf(header: readonly string[], { columns }: Service): (string | null)[] {
  return header.map((name) => {
    const key = columnKey(name);
    return Object.hasOwn(columns, key) ? (columns[key] ?? null) : null;
  });
}

/**
 * Returns the reader of rows under this heading of another service, or what is wrong with the heading. Columns that the
 * service's reader does not know are left out; of two with the same meaning the first that has something counts.
 */
export function foreignCsvReader(
  header: readonly string[],
  service: Service,
  options: ForeignOptions,
): CellReader | { readonly problem: string } {
  const members = membersOf(header, service);
  if (!service.isLink(new Set(members.filter((member) => member !== null))))
    return { problem: 'has no columns with the short link and the address it leads to' };
  return (cells) => {
    const record: Record<string, string> = {};
    for (const [index, member] of members.entries()) {
      const text = cells[index] ?? '';
      if (member !== null && (record[member] ?? '') === '') record[member] = text;
    }
    return fromForeign(service.read(record, options.now), options);
  };
}
