import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Option } from '../../../parts/field.js';
import { useValueNames } from '../../figures/value-names.js';
import { useWords } from './words.js';

const DEVICES = ['mobile', 'tablet', 'desktop', 'tv', 'wearable', 'console', 'other'];
// Suggestions; others are taken as typed.
const SYSTEMS = 'Android,iOS,Windows,macOS,Linux,Chrome OS,HarmonyOS,Fire OS,tvOS,watchOS,other'.split(',');
const BROWSERS =
  'Chrome,Safari,Firefox,Edge,Opera,Samsung Internet,Yandex Browser,Huawei Browser,Instagram,Facebook,TikTok,other'.split(
    ',',
  );

export type Choices = { readonly options: readonly Option[]; readonly nameOf: (value: string) => string };

/** Values of conditions with their names. */
export function useChoices() {
  const words = useWords();
  const nameOf = useValueNames();
  // Browsers do not list the codes.
  const { data: names } = useQuery({
    queryKey: ['value-names', 'codes'],
    queryFn: () => import('../../figures/names-az.js'),
    staleTime: Infinity,
  });
  return useMemo(() => {
    const choicesOf = (values: readonly string[], name: (value: string) => string): Choices => ({
      options: values.map((value) => ({ value, label: name(value) })),
      nameOf: name,
    });
    const sorted = ({ options, ...choices }: Choices): Choices => ({
      ...choices,
      options: options.toSorted((a, b) => a.label.localeCompare(b.label)),
    });
    const program = (value: string): string => (value === 'other' ? words.otherValue : value);
    return {
      countries: sorted(
        choicesOf([...(names?.COUNTRIES.keys() ?? []), 'XX'], (code) => nameOf('countries', code)),
      ),
      languages: sorted(choicesOf([...(names?.LANGUAGES.keys() ?? [])], (code) => nameOf('languages', code))),
      devices: choicesOf(DEVICES, (device) => nameOf('devices', device)),
      systems: choicesOf(SYSTEMS, program),
      browsers: choicesOf(BROWSERS, program),
      sources: choicesOf(['click', 'scan'], (source) => (source === 'scan' ? words.scan : words.click)),
      referrers: choicesOf(['direct'], (host) => (host === 'direct' ? words.direct : host)),
    };
  }, [words, nameOf, names]);
}
