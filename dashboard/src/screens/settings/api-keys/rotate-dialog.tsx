import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { Dialog, DialogActions } from '../../../parts/dialog.js';
import { SelectField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { NewKey } from './new-key.js';
import { useWords } from './words.js';

const GRACE_SECONDS = { now: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Grace = keyof typeof GRACE_SECONDS;

export function RotateDialog({
  apiKey: { id, name },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const [grace, setGrace] = useState<Grace>('day');
  const rotate = useMutation({
    mutationFn: () => confirmed(() => api.keys.rotate(id, GRACE_SECONDS[grace])),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <Dialog isOpen title={words.rotateHeading(name)} description={words.rotateText} onClose={onClose}>
      {rotate.data === undefined ? (
        <>
          <SelectField
            label={words.grace}
            options={Object.entries(words.graces).map(([value, label]) => ({ value, label }))}
            value={grace}
            onChange={(event) => setGrace(event.target.value as Grace)}
          />
          <ErrorLine error={rotate.error} />
          <DialogActions>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
              {words.rotateSubmit}
            </Button>
          </DialogActions>
        </>
      ) : (
        <NewKey apiKey={rotate.data.data.apiKey} onDone={onClose} />
      )}
    </Dialog>
  );
}
