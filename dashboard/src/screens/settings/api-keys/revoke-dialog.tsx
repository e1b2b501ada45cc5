import { useMutation } from '@tanstack/react-query';
import type { ApiKey } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { ConfirmDialog } from '../../../parts/dialog.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useWords } from './words.js';

export function RevokeDialog({
  apiKey: { id, name },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const say = useStatus();
  const confirmed = useConfirmed();
  const revoke = useMutation({
    mutationFn: () => confirmed(() => api.keys.revoke(id)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
      say(words.revoked);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={words.revokeHeading(name)}
      description={words.revokeText}
      confirmLabel={words.revokeSubmit}
      cancelLabel={words.keep}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onCancel={onClose}
    >
      <ErrorLine error={revoke.error} />
    </ConfirmDialog>
  );
}
