import { createContext, useContext, useSyncExternalStore } from 'react';
import { get } from 'react-hook-form';
import type { Fault } from '@smartlink/client';
import type { Values } from './values.js';

/** Faults by path. Only fields whose fault changed render again: a menu has thousands of fields. */
export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let current: ReadonlyMap<string, string> = new Map();
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (next: ReadonlyMap<string, string>): void => {
      if (next.size === 0 && current.size === 0) return;
      current = next;
      for (const listener of listeners) listener();
    },
    all: (): ReadonlyMap<string, string> => current,
    /** The fault at the path. */
    at: (path: string): string | undefined => current.get(path),
    /** The first fault at the path or below it. */
    under: (path: string): string | undefined =>
      current.get(path) ?? [...current].find(([each]) => each.startsWith(`${path}.`))?.[1],
  };
}

const Context = createContext<Faults>(createFaults());
export const FaultsProvider = Context.Provider;

export function useFault(path: string): string | undefined {
  const faults = useContext(Context);
  return useSyncExternalStore(faults.subscribe, () => faults.at(path));
}

/** For a field whose value is a list, such as tags. */
export function useFaultUnder(path: string): string | undefined {
  const faults = useContext(Context);
  return useSyncExternalStore(faults.subscribe, () => faults.under(path));
}

export const NAME = 'configuration.smartlinkName';
export const ADDRESS = 'configuration.smartlinkUrl';

/** Empty values are reported as missing instead of malformed. */
export function messageOf({ path, message }: Fault, values: Values): string {
  return get(values, path) === '' && !message.startsWith('Required') ? 'Required' : message;
}

/** Focuses the field of a fault, or the closest one around it, and opens its sections. */
export function focusFault(path: string): void {
  const field = fieldOf(path);
  for (let around = field?.closest('details'); around; around = around.parentElement?.closest('details')) {
    around.open = true;
  }
  field?.focus();
}

export function fieldOf(path: string): HTMLElement | null {
  for (let each = path; each !== ''; each = each.slice(0, Math.max(0, each.lastIndexOf('.')))) {
    const field = document.getElementById(each);
    if (field !== null) return field;
  }
  return null;
}
