import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button } from '../button.js';
import { ErrorLine } from '../notice.js';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  /** Default: true. */
  readonly isOpen?: boolean;
  readonly isWide?: boolean;
};

/** A dialog that Escape and a press outside close. Buttons stand in `DialogActions`. */
export const Dialog = (props: DialogProps) => <Frame root={BaseDialog.Root} {...props} />;

type AlertProps = DialogProps & { readonly initialFocus?: RefObject<HTMLElement | null> };

/** A question that a press outside does not close, in a dialog of the role alertdialog. */
export const AlertDialogFrame = (props: AlertProps) => <Frame root={AlertDialog.Root} {...props} />;

function Frame({
  root: Root,
  isOpen = true,
  title,
  description,
  onClose,
  initialFocus,
  children,
  isWide = false,
}: AlertProps & { readonly root: typeof BaseDialog.Root | typeof AlertDialog.Root }) {
  return (
    <Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          className={`${styles.popup} ${isWide ? styles.wide : ''}`}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <div className={styles.content}>
            <BaseDialog.Title>{title}</BaseDialog.Title>
            {description === undefined ? null : (
              <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>
            )}
            {children}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </Root>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

type Question = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
};

/** A question with two answers. The focus is on the one that changes nothing. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel,
  onConfirm,
  onCancel,
  isBusy = false,
  children,
  ...frame
}: Question & {
  readonly isOpen?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly isBusy?: boolean;
  /** Such as the error of a failed try. */
  readonly children?: ReactNode;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialogFrame {...frame} onClose={onCancel} initialFocus={cancel}>
      {children}
      <DialogActions>
        <Button ref={cancel} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button look="primary" onClick={onConfirm} isBusy={isBusy}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </AlertDialogFrame>
  );
}

/** A question, and the call that follows its answer; it stays open, with the error, when that fails. */
export function ConfirmAction<Result>({
  action,
  onDone,
  onClose,
  ...question
}: Question & {
  readonly action: () => Promise<Result>;
  /** Called after `onClose`, so that it can open another dialog. */
  readonly onDone: (result: Result) => void;
  readonly onClose: () => void;
}) {
  const call = useMutation({
    mutationFn: action,
    onSuccess: (result) => {
      onClose();
      onDone(result);
    },
  });
  return (
    <ConfirmDialog {...question} isBusy={call.isPending} onConfirm={() => call.mutate()} onCancel={onClose}>
      <ErrorLine error={call.error} />
    </ConfirmDialog>
  );
}

/** The open dialog of a screen; `open` takes the next one. */
export function useDialog() {
  const [dialog, open] = useState<ReactNode>(null);
  return { dialog, open, close: () => open(null) };
}
