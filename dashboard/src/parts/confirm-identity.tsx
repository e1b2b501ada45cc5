import { createContext, type ReactNode, type SubmitEvent, useCallback, useContext, useState } from 'react';
import type { Session } from '@smartlink/client';
import { api, hasCode, queryClient, SESSION_KEY } from '../app/api.js';
import { Button } from './button.js';
import { AlertDialogFrame, DialogActions } from './dialog.js';
import { TextField } from './field.js';
import { ErrorLine } from './notice.js';
import { useWords } from './words.js';

type Confirmed = <Result>(action: () => Promise<Result>) => Promise<Result>;

type Waiting = { readonly confirm: () => void; readonly cancel: () => void };

const Context = createContext<Confirmed>((action) => action());

/**
 * Wraps calls that need a password of the last ten minutes: where the API answers CONFIRMATION_REQUIRED, it asks for the
 * password and calls again. Rejects with that error when the person cancels.
 */
export const useConfirmed = (): Confirmed => useContext(Context);

export function ConfirmIdentityProvider({ children }: { readonly children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const confirmed = useCallback<Confirmed>(async (action) => {
    try {
      return await action();
    } catch (err) {
      if (!hasCode(err, 'CONFIRMATION_REQUIRED')) throw err;
      const isConfirmed = await new Promise<boolean>((resolve) => {
        setWaiting({
          confirm: () => {
            resolve(true);
          },
          cancel: () => {
            resolve(false);
          },
        });
      });
      setWaiting(null);
      if (!isConfirmed) throw err;
      return action();
    }
  }, []);
  return (
    <Context value={confirmed}>
      {children}
      {waiting === null ? null : <ConfirmIdentityDialog {...waiting} />}
    </Context>
  );
}

function ConfirmIdentityDialog({ confirm, cancel }: Waiting) {
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
          onChange={(event) => {
            setPassword(event.target.value);
          }}
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
