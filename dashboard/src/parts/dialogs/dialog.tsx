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

/** A dialog, closed by Escape or a press outside. Its buttons go into `DialogActions`. */
export const Dialog = (props: DialogProps) => <Frame root={BaseDialog.Root} {...props} />;

type AlertProps = DialogProps & { readonly initialFocus?: RefObject<HTMLElement | null> };

/** A dialog of role alertdialog, which a press outside does not close. */
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

/** A question with two answers. The harmless one has the focus. */
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
  /** For example the error of a failed attempt. */
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

/** A question that calls `action` once confirmed, and stays open with its error. */
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

/** State of a screen's dialog: `open` shows an element, `close` removes it. */
export function useDialog() {
  const [dialog, open] = useState<ReactNode>(null);
  return { dialog, open, close: () => open(null) };
}
