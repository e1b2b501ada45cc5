import { dsvFormat } from 'd3-dsv';
import { toNumber } from './numbers.js';
import { EMPTY_ITEM, type Item } from './values.js';

const DELIMITERS = ['\t', ';', ','];

/**
 * Parses a table of menu items: name, price, description, badges (separated by `|` or `/`), picture. Columns are separated by
 * tabs (as copied from spreadsheets), semicolons or commas. A first line without a price is skipped as a heading.
 */
export function parseItems(table: string): readonly Item[] {
  const [firstLine = ''] = table.split('\n', 1);
  const delimiter = DELIMITERS.find((each) => firstLine.includes(each)) ?? ',';
  const rows = dsvFormat(delimiter)
    .parseRows(table)
    .filter((cells) => cells.some((cell) => cell.trim() !== ''));
  return rows.flatMap((cells, index) => {
    const [name = '', price = '', description = '', badges = '', imageLink = ''] = cells.map((cell) =>
      cell.trim(),
    );
    if (index === 0 && typeof toNumber(price) !== 'number') return [];
    return {
      ...EMPTY_ITEM,
      name,
      price,
      description,
      badges: badges.replace(/\s*[|/]\s*/g, ', '),
      imageLink,
    };
  });
}
