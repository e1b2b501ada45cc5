import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient } from '../../../app/api.js';
import { ConfirmDialog } from '../../../parts/dialogs/dialog.js';
import { ErrorLine, ErrorText } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { hideDeleted } from '../list.js';
import { useWords } from '../words.js';
import { type BulkOutcome, runBulk } from './bulk.js';
import { Progress } from './progress.js';

/** Asks, then deletes the links. A single one needs no bulk call, which not every plan has. */
export function DeleteDialog({
  ids,
  name,
  onClose,
  onDeleted,
}: {
  readonly ids: readonly string[];
  /** Name of a single link. */
  readonly name?: string;
  readonly onClose: () => void;
  readonly onDeleted: (ids: readonly string[]) => void;
}) {
  const words = useWords();
  const say = useStatus();
  const [done, setDone] = useState(0);
  const remove = useMutation({
    mutationFn: async (): Promise<BulkOutcome> => {
      const [first, ...others] = ids;
      if (first === undefined || others.length > 0) {
        return runBulk(ids, (smartlinkId) => ({ delete: { smartlinkId } }), setDone);
      }
      await api.smartlinks.remove(first);
      return { succeeded: ids, refused: [] };
    },
    onSuccess: ({ succeeded, refused }) => {
      hideDeleted(new Set(succeeded));
      void queryClient.invalidateQueries({ queryKey: ['account'] });
      say(words.deleted(succeeded.length));
      onDeleted(succeeded);
      if (refused.length === 0) onClose();
    },
  });
  const refused = remove.data?.refused.length ?? 0;
  return (
    <ConfirmDialog
      title={words.deleteHeading(ids.length)}
      description={name === undefined ? words.deleteText : `${name}. ${words.deleteText}`}
      confirmLabel={words.deleteSubmit(ids.length)}
      cancelLabel={words.keep}
      isBusy={remove.isPending || refused > 0}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      {remove.isPending && ids.length > 1 ? (
        <Progress label={words.working} done={done} total={ids.length} />
      ) : null}
      {refused > 0 ? <ErrorText>{words.refused(refused)}</ErrorText> : null}
      <ErrorLine error={remove.error} />
    </ConfirmDialog>
  );
}
