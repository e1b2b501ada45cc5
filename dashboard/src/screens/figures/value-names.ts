import { useQuery } from '@tanstack/react-query';
import { OWN_HOST } from '../../app/hosts.js';
import { usePreferences } from '../../app/preferences.js';
import type { Dimension } from './query.js';
import { useWords } from './words.js';

const LOCALES = { en: 'en-GB', az: 'az', ru: 'ru', tr: 'tr' } as const;
const UNKNOWN_COUNTRY = 'XX';

/** Localized names of dimension values. */
export function useValueNames(): (dimension: Dimension, value: string) => string {
  const words = useWords();
  const { language } = usePreferences();
  // Chromium lacks names in az.
  const { data: names } = useQuery({
    queryKey: ['value-names', language],
    queryFn: () => import('./names-az.js'),
    enabled: language === 'az',
    staleTime: Infinity,
  });
  const locale = LOCALES[language];
  return (dimension, value) => {
    if (value === 'other') return words.other;
    if (dimension === 'countries') {
      if (value === UNKNOWN_COUNTRY) return words.unknown;
      return names?.COUNTRIES.get(value) ?? displayName(locale, 'region', value);
    }
    if (dimension === 'languages') {
      const [code = '', region = ''] = value.split('-');
      const name = names?.LANGUAGES.get(code);
      if (name === undefined) return displayName(locale, 'language', value);
      const country = names?.COUNTRIES.get(region);
      return country === undefined ? name : `${name} (${country})`;
    }
    if (dimension === 'domains' && value === OWN_HOST) return words.ownHost;
    if (dimension === 'devices') return words.devices[value] ?? value;
    if (dimension === 'referrers' && value === 'direct') return words.direct;
    return value;
  };
}

function displayName(locale: string, type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type }).of(code) ?? code;
  } catch {
    // Browsers may send invalid language codes.
    return code;
  }
}
