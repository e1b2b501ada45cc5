import { usePreferences } from '../../../app/preferences.js';

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** Names of repeated parts, such as `Button 2`, within field names and sentences. */
export function usePartNames() {
  const isEnglish = usePreferences().language === 'en';
  return {
    /** `Button 2 title` */
    field: (part: string, label: string) =>
      isEnglish ? `${part} ${lowerFirst(label)}` : `${part}: ${label}`,
    /** As in `Remove button 2`. */
    inside: (part: string) => (isEnglish ? lowerFirst(part) : part),
  };
}
