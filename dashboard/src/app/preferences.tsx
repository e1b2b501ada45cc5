import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { isLanguage, type Language, LanguageContext, loadedRooms, loadWords } from '../words/words.js';

const STORED = 'smartlink.preferences';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** First days of the week, numbered as by `Date.getDay`. */
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
  /** False: `timeZone` is the browser's. */
  readonly hasTimeZone: boolean;
  readonly weekStart: WeekStart;
  /** Whether shortcuts are on. */
  readonly hasShortcuts: boolean;
  readonly change: (changes: Partial<Chosen>) => void;
};

const Context = createContext<Preferences | null>(null);

export function usePreferences(): Preferences {
  const preferences = useContext(Context);
  if (preferences === null) throw new Error('Outside of PreferencesProvider');
  return preferences;
}

/** The chosen language, or the browser's. */
export function preferredLanguage(): Language {
  return readStored().language ?? browserLanguage();
}

/** Loads a module together with the words of its rooms. */
export function withWords<Part>(load: () => Promise<Part>, ...rooms: readonly string[]) {
  return async (): Promise<Part> => {
    const [part] = await Promise.all([load(), loadWords(preferredLanguage(), rooms)]);
    return part;
  };
}

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [chosen, setChosen] = useState(readStored);
  const [language, setLanguage] = useState(preferredLanguage);
  const wanted = chosen.language ?? browserLanguage();

  useEffect(() => {
    if (wanted === language) return undefined;
    let isCurrent = true;
    void loadWords(wanted, loadedRooms(language)).then(
      () => {
        if (isCurrent) setLanguage(wanted);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted, language]);

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
      <LanguageContext value={language}>{children}</LanguageContext>
    </Context>
  );
}

function readStored(): Chosen {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(STORED) ?? 'null');
  } catch {
    // Storage is disabled, or its content is not ours.
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
    // Storage is disabled: the choice lasts until the page is closed.
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
