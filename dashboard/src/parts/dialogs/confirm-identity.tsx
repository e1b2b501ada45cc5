import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { hasCode } from '../../app/api.js';

// Asked for seldom: dialogs load with the screens that have them.
const ConfirmIdentityDialog = lazy(async () => ({
  default: (await import('./confirm-identity-dialog.js')).ConfirmIdentityDialog,
}));

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
      {waiting === null ? null : (
        <Suspense>
          <ConfirmIdentityDialog {...waiting} />
        </Suspense>
      )}
    </Context>
  );
}
