import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useFormState } from 'react-hook-form';
import { ConfirmDialog } from '../../parts/dialogs/dialog.js';
import { useWords } from './words.js';

/** Asks before leaving a changed form. `guard.isOff`: the form was saved. */
export function LeaveGuard({ guard }: { readonly guard: RefObject<{ isOff: boolean }> }) {
  const words = useWords();
  const { isDirty } = useFormState();
  const hasChanges = useRef(isDirty);
  useEffect(() => {
    hasChanges.current = isDirty;
  }, [isDirty]);
  const wouldLose = useCallback(() => hasChanges.current && !guard.current.isOff, [guard]);
  const shouldBlock = useCallback<ShouldBlockFn>(
    // Changing the type stays on this screen.
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
