import { SelectField } from '../../parts/field.js';
import { isLanguage, type Language, LANGUAGES } from '../../words/words.js';
import { usePreferences } from '../preferences.js';
import { useWords } from '../words.js';

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** Changes the language of this browser at once. */
export function LanguageField({ onChange }: { readonly onChange?: (language: Language) => void }) {
  const words = useWords();
  const { language, change } = usePreferences();
  return (
    <SelectField
      label={words.language}
      options={OPTIONS}
      value={language}
      onChange={({ target: { value } }) => {
        if (!isLanguage(value)) return;
        change({ language: value });
        onChange?.(value);
      }}
    />
  );
}
