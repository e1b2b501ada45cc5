import { type RefCallback, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Draft, Fault, SmartlinkType } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { faultText } from '../../../parts/fault-text.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import type { Language } from '../../../words/words.js';
import { ADDRESS, type Faults, messageOf, NAME } from '../form/faults.js';
import { toBody, type Values } from '../form/values.js';
import type { Frames } from './frames.js';

export type Look = { readonly view: 'own' | 'share' | 'preview'; readonly language: Language };

/** `waiting`: no answer yet; `faulty`: the page shows an earlier draft; `away`: no answer from the service. */
export type DraftState = 'waiting' | 'good' | 'faulty' | 'away';

type Options = {
  readonly form: UseFormReturn<Values>;
  readonly faults: Faults;
  readonly type: SmartlinkType;
  /** Null: new. */
  readonly linkId: string | null;
  readonly look: Look;
  readonly frames: RefObject<Frames | null>;
};

const PAUSE_MS = 250;
// Visitors do not see the name, so the preview does not wait for one.
const UNNAMED = 'Draft';

/**
 * Has the service check the form when typing pauses, and shows the page in the frames. Faults appear at once at the address
 * and at fields that were left, at all others after the first attempt to save.
 */
export function useDraftCheck(options: Options) {
  const latest = useRef(options);
  const partsWords = usePartsWords();
  const words = useRef(partsWords);
  useEffect(() => {
    latest.current = options;
    words.current = partsWords;
  });
  const [state, setState] = useState<DraftState>('waiting');
  const memory = useRef<Memory>({ touched: new Set<string>(), showsAll: false });

  const show = useCallback((found: readonly Fault[]) => {
    const { form, faults } = latest.current;
    const { touched, showsAll } = memory.current;
    const values = form.getValues();
    const isShown = (path: string): boolean =>
      showsAll ||
      path === ADDRESS ||
      [...touched].some((name) => path === name || path.startsWith(`${name}.`));
    const shown = found.filter(({ path }) => isShown(path));
    faults.set(
      new Map(shown.map((fault) => [fault.path, faultText(messageOf(fault, values), words.current)])),
    );
  }, []);

  const check = useCallback(async (): Promise<readonly Fault[]> => {
    const { form, type, linkId, look, frames } = latest.current;
    const values = form.getValues();
    const { draft, own } = draftOf(type, values, linkId);
    const { data } = await api.smartlinks.preview({ ...draft, ...look });
    const found = [...own, ...data.faults];
    show(found);
    setState(data.url !== undefined ? 'good' : data.faults.length > 0 ? 'faulty' : 'away');
    if (data.url !== undefined) await frames.current?.show(data.url);
    return found;
  }, [show]);

  const [enqueue] = useState(createQueue);
  const isWaiting = useRef(false);
  const refresh = useCallback(() => {
    if (isWaiting.current) return;
    isWaiting.current = true;
    void enqueue(async () => {
      isWaiting.current = false;
      try {
        await check();
      } catch {
        setState('away');
      }
    });
  }, [check, enqueue]);

  const { form, type, look } = options;
  useAfterPause(form, refresh);
  useEffect(refresh, [refresh, type, look]);

  const watchTouches = useTouches(memory);

  return useMemo(
    () => ({
      watchTouches,
      /** Refreshes the preview. */
      refresh,
      /** Shows all faults from now on; resolves to their number. */
      async checkAll(): Promise<number> {
        memory.current.showsAll = true;
        return (await enqueue(check)).length;
      },
      /** Shows faults of another response. */
      show,
      /** Starts over with new values. */
      restart() {
        memory.current = { touched: new Set(), showsAll: false };
        show([]);
        refresh();
      },
      state,
    }),
    [watchTouches, refresh, enqueue, check, show, state],
  );
}

/**
 * Runs one call at a time: the service keeps one page per session, so the next draft would replace a page that is still
 * loading.
 */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Calls `work` 250 ms after the last change. */
function useAfterPause({ subscribe }: UseFormReturn<Values>, work: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer);
        timer = setTimeout(work, PAUSE_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [subscribe, work]);
}

type Memory = { readonly touched: Set<string>; showsAll: boolean };

/** Ref of the form that records changed fields when they are left. */
function useTouches(memory: RefObject<Memory>): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
      if (element === null) return undefined;
      // The native event, fired when a changed field is left.
      const note = ({ target }: Event) => {
        if (target instanceof HTMLElement && target.id !== '') memory.current.touched.add(target.id);
      };
      element.addEventListener('change', note);
      return () => {
        element.removeEventListener('change', note);
      };
    },
    [memory],
  );
}

/** The draft for the service, and faults that it cannot find in it. */
function draftOf(
  type: SmartlinkType,
  values: Values,
  linkId: string | null,
): { readonly draft: Draft; readonly own: readonly Fault[] } {
  const { smartlinkName } = values.configuration;
  const isNamed = smartlinkName.trim() !== '';
  const own = isNamed ? [] : [{ path: NAME, message: 'Required' }];
  const named = isNamed
    ? values
    : { ...values, configuration: { ...values.configuration, smartlinkName: UNNAMED } };
  const body = toBody(type, named);
  // The body has the type's members; the service validates them.
  return { draft: (linkId === null ? { draft: body } : { id: linkId, patch: body }) as Draft, own };
}
