import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useFormState } from 'react-hook-form';
import { ConfirmDialog } from '../../parts/dialogs/dialog.js';
import { useWords } from './words.js';

/** Asks before a changed form is left. `guard.isOff`: it has been saved. */
export function LeaveGuard({ guard }: { readonly guard: RefObject<{ isOff: boolean }> }) {
  const words = useWords();
  const { isDirty } = useFormState();
  const hasChanges = useRef(isDirty);
  useEffect(() => {
    hasChanges.current = isDirty;
  }, [isDirty]);
  const wouldLose = useCallback(() => hasChanges.current && !guard.current.isOff, [guard]);
  const shouldBlock = useCallback<ShouldBlockFn>(
    // A change of type stays on the screen.
    ({ current, next }) => current.pathname !== next.pathname && wouldLose(),
    [wouldLose],
  );
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: shouldBlock,
    enableBeforeUnload: wouldLose,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title={words.leave.heading}
      description={words.leave.text}
      confirmLabel={words.leave.leave}
      cancelLabel={words.leave.stay}
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    />
  );
}
