import { useMutation } from '@tanstack/react-query';
import { Button } from '../../parts/button.js';
import { AlertDialogFrame, DialogActions } from '../../parts/dialogs/dialog.js';
import { ErrorLine } from '../../parts/notice.js';
import { useWords } from './words.js';

/** Asks which version to keep. Escape keeps the unsaved form. */
export function ConflictDialog({
  onLoadTheirs,
  onKeepMine,
  onClose,
}: {
  readonly onLoadTheirs: () => Promise<void>;
  readonly onKeepMine: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const choose = useMutation({
    mutationFn: (action: () => Promise<void>) => action(),
    onSuccess: onClose,
  });
  return (
    <AlertDialogFrame title={words.conflict.heading} description={words.conflict.text} onClose={onClose}>
      <ErrorLine error={choose.error} />
      <DialogActions>
        <Button isBusy={choose.isPending} onClick={() => choose.mutate(onLoadTheirs)}>
          {words.conflict.theirs}
        </Button>
        <Button look="primary" isBusy={choose.isPending} onClick={() => choose.mutate(onKeepMine)}>
          {words.conflict.mine}
        </Button>
      </DialogActions>
    </AlertDialogFrame>
  );
}
