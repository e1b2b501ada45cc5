import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Dictionary } from '../words/by-room.js';
import { isLanguage, type Language, loadWords, WordsContext } from '../words/words.js';

const STORED = 'smartlink.preferences';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** First days of the week, as `Date.getDay` counts them. */
export const WEEK_STARTS = [1, 0, 6] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

type Chosen = {
  readonly language?: Language | undefined;
  readonly theme: Theme;
  /** IANA name; absent: the browser's. */
  readonly timeZone?: string | undefined;
  readonly weekStart: WeekStart;
  readonly hasShortcuts: boolean;
};

/** How this browser shows the dashboard. */
export type Preferences = {
  readonly language: Language;
  readonly theme: Theme;
  readonly timeZone: string;
  readonly browserTimeZone: string;
  /** Whether `timeZone` was chosen, and is not the browser's. */
  readonly hasTimeZone: boolean;
  readonly weekStart: WeekStart;
  /** Whether single keys are commands. */
  readonly hasShortcuts: boolean;
  readonly change: (changes: Partial<Chosen>) => void;
};

const Context = createContext<Preferences | null>(null);

export function usePreferences(): Preferences {
  const preferences = useContext(Context);
  if (preferences === null) throw new Error('Outside of PreferencesProvider');
  return preferences;
}

/** The language of the first words: the chosen one, or the browser's. */
export function firstLanguage(): Language {
  return readStored().language ?? browserLanguage();
}

export function PreferencesProvider({
  words: first,
  children,
}: {
  readonly words: Dictionary;
  readonly children: ReactNode;
}) {
  const [chosen, setChosen] = useState(readStored);
  const [shown, setShown] = useState(() => ({ language: firstLanguage(), words: first }));
  const wanted = chosen.language ?? browserLanguage();

  useEffect(() => {
    if (wanted === shown.language) return undefined;
    let isCurrent = true;
    void loadWords(wanted).then(
      (words) => {
        if (isCurrent) setShown({ language: wanted, words });
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted, shown.language]);

  const { language } = shown;
  const { theme, timeZone, weekStart, hasShortcuts } = chosen;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);

  const change = useCallback((changes: Partial<Chosen>) => {
    setChosen((before) => {
      const next = { ...before, ...changes };
      store(next);
      return next;
    });
  }, []);
  const preferences = useMemo(
    () => ({
      language,
      theme,
      timeZone: timeZone ?? readTimeZone(),
      browserTimeZone: readTimeZone(),
      hasTimeZone: timeZone !== undefined,
      weekStart,
      hasShortcuts,
      change,
    }),
    [language, theme, timeZone, weekStart, hasShortcuts, change],
  );
  return (
    <Context value={preferences}>
      <WordsContext value={shown.words}>{children}</WordsContext>
    </Context>
  );
}

function readStored(): Chosen {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(STORED) ?? 'null');
  } catch {
    // Storage is off, or was written by hand.
  }
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const { language, theme, timeZone, weekStart, hasShortcuts } = given;
  return {
    ...(isLanguage(language) ? { language } : {}),
    theme: THEMES.find((each) => each === theme) ?? 'system',
    ...(isTimeZone(timeZone) ? { timeZone } : {}),
    weekStart: WEEK_STARTS.find((each) => each === weekStart) ?? 1,
    hasShortcuts: hasShortcuts !== false,
  };
}

function store(chosen: Chosen): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(chosen));
  } catch {
    // Storage is off: the choice holds until the page is closed.
  }
}

function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    const code = tag.split('-')[0];
    if (isLanguage(code)) return code;
  }
  return 'en';
}

const readTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function isTimeZone(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
