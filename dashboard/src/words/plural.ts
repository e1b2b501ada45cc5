// Azerbaijani and Turkish use the singular after numbers.

/** `1 link`, `5 links` */
export const pluralEn = (count: number, one: string, other: string): string => (count === 1 ? one : other);

const RUSSIAN = new Intl.PluralRules('ru');

/** `1 ссылка`, `2 ссылки`, `5 ссылок` */
export function pluralRu(count: number, one: string, few: string, many: string): string {
  const rule = RUSSIAN.select(count);
  return rule === 'one' ? one : rule === 'few' ? few : many;
}
