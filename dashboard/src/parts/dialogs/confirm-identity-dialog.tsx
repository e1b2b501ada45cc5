import type { Session } from '@smartlink/client';
import { api, checkSession, hasCode, queryClient, SESSION_KEY } from '../../app/api.js';
import { Button } from '../button.js';
import { TextField } from '../field.js';
import { useApiForm } from '../form.js';
import { useWords } from '../words.js';
import { AlertDialogFrame, DialogActions } from './dialog.js';

const FIRST = { password: '' };

/** Asks for the password, and calls `confirm` when it is right. */
export function ConfirmIdentityDialog({
  confirm,
  cancel,
}: {
  readonly confirm: () => void;
  readonly cancel: () => void;
}) {
  const words = useWords();
  const person = queryClient.getQueryData<Session | null>(SESSION_KEY)?.person;
  const { field, error, isBusy, submit, failure } = useApiForm({
    values: FIRST,
    action: ({ password }) => api.session.confirm(password, { retries: 0 }).catch(checkSession),
    onDone: confirm,
  });
  const isWrong = hasCode(error, 'UNAUTHORIZED');
  return (
    <AlertDialogFrame title={words.confirm.heading} description={words.confirm.text} onClose={cancel}>
      <form noValidate onSubmit={submit}>
        <TextField
          label={words.confirm.password}
          type="password"
          autoComplete="current-password"
          description={person?.hasPassword === false ? words.confirm.noPassword : undefined}
          {...field('password')}
          {...(isWrong ? { error: words.confirm.wrong } : {})}
        />
        {isWrong ? null : failure()}
        <DialogActions>
          <Button onClick={cancel}>{words.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {words.confirm.confirm}
          </Button>
        </DialogActions>
      </form>
    </AlertDialogFrame>
  );
}
