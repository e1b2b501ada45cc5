import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { LINKS, NEW_LINK, OVERVIEW } from './link-paths.js';
import { usePreferences } from './preferences.js';
import { useHasRole } from './session.js';

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./frame/shortcuts-dialog.js')).ShortcutsDialog,
}));

type Actions = Readonly<Record<string, () => void>>;

// Longest pause between the keys of `g l`.
const SEQUENCE_MS = 1_000;

/** Runs actions by key, such as `n` or `g l`; not while typing, in dialogs, or when shortcuts are off. */
export function useShortcuts(actions: Actions): void {
  const { hasShortcuts } = usePreferences();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  }, [actions]);
  useEffect(() => {
    if (!hasShortcuts) return undefined;
    let last = { key: '', at: -Infinity };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (isTyping(event.target) || isCovered()) return;
      const key = keyOf(event);
      const { current } = latest;
      const inSequence = event.timeStamp - last.at < SEQUENCE_MS ? current[`${last.key} ${key}`] : undefined;
      last = { key, at: event.timeStamp };
      const action = inSequence ?? current[key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [hasShortcuts]);
}

/** The key; on a non-Latin layout, the Latin letter at its position. */
function keyOf({ key, code }: KeyboardEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return letter !== undefined && !/^[ -~]/.test(key) ? letter.toLowerCase() : key;
}

const NOT_TYPED = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'color', 'range', 'file']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

const isCovered = (): boolean =>
  document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') !== null;

/** Shortcuts of every screen, and the dialog that lists them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const mayWrite = useHasRole('Editor');
  const [isOpen, setOpen] = useState(false);
  const go = (path: string) => () => void navigate({ to: path });
  useShortcuts({
    'g l': go(LINKS),
    'g o': go(OVERVIEW),
    '?': () => setOpen(true),
    ...(mayWrite ? { n: go(NEW_LINK) } : {}),
  });
  if (!isOpen) return null;
  return (
    <Suspense>
      <ShortcutsDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
