import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { hasCode } from '../../app/api.js';

// Rarely needed, so it loads on first use.
const ConfirmIdentityDialog = lazy(async () => ({
  default: (await import('./confirm-identity-dialog.js')).ConfirmIdentityDialog,
}));

type Confirmed = <Result>(action: () => Promise<Result>) => Promise<Result>;

type Waiting = { readonly confirm: () => void; readonly cancel: () => void };

const Context = createContext<Confirmed>((action) => action());

/**
 * Wraps calls that need a recently entered password: on CONFIRMATION_REQUIRED it asks for the password and repeats the
 * call. Rejects with that error on cancel.
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
      {waiting === null ? null : (
        <Suspense>
          <ConfirmIdentityDialog {...waiting} />
        </Suspense>
      )}
    </Context>
  );
}
