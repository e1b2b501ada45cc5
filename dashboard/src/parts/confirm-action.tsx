import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from './dialog.js';
import { ErrorLine } from './notice.js';

/** A question, and the call that follows its answer; it stays open, with the error, when that fails. */
export function ConfirmAction({
  title,
  description,
  confirmLabel,
  cancelLabel,
  action,
  onDone,
  onClose,
}: {
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly action: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const call = useMutation({
    mutationFn: action,
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      isBusy={call.isPending}
      onConfirm={() => call.mutate()}
      onCancel={onClose}
    >
      <ErrorLine error={call.error} />
    </ConfirmDialog>
  );
}
