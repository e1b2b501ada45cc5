import { type SubmitEvent, useState } from 'react';
import type { Session } from '@smartlink/client';
import { api, hasCode, queryClient, SESSION_KEY } from '../app/api.js';
import { Button } from './button.js';
import { AlertDialogFrame, DialogActions } from './dialog.js';
import { TextField } from './field.js';
import { ErrorLine } from './notice.js';
import { useWords } from './words.js';

type Props = { readonly confirm: () => void; readonly cancel: () => void };

/** Asks for the password, and calls `confirm` when it is right. */
export function ConfirmIdentityDialog({ confirm, cancel }: Props) {
  const words = useWords();
  const person = queryClient.getQueryData<Session | null>(SESSION_KEY)?.person;
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isWrong = hasCode(failure, 'UNAUTHORIZED');

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await api.session.confirm(password, { retries: 0 });
      confirm();
    } catch (err) {
      setFailure(err);
      // The session may have ended instead: the shell then leads to sign-in.
      if (hasCode(err, 'UNAUTHORIZED')) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
    } finally {
      setBusy(false);
    }
  }

  return (
    <AlertDialogFrame isOpen title={words.confirm.heading} description={words.confirm.text} onClose={cancel}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.confirm.password}
          type="password"
          autoComplete="current-password"
          value={password}
          error={isWrong ? words.confirm.wrong : undefined}
          description={person?.hasPassword === false ? words.confirm.noPassword : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        {isWrong ? null : <ErrorLine error={failure} />}
        <DialogActions>
          <Button onClick={cancel}>{words.confirm.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {words.confirm.confirm}
          </Button>
        </DialogActions>
      </form>
    </AlertDialogFrame>
  );
}
