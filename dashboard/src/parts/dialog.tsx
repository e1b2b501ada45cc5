import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button } from './button.js';
import styles from './dialog.module.css';

type DialogProps = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  readonly isWide?: boolean;
};

/** A dialog that Escape and a press outside close. Buttons stand in `DialogActions`. */
export function Dialog({ isOpen, title, description, onClose, children, isWide = false }: DialogProps) {
  return (
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup className={`${styles.popup} ${isWide ? styles.wide : ''}`}>
          <div className={styles.content}>
            <BaseDialog.Title>{title}</BaseDialog.Title>
            {description === undefined ? null : (
              <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>
            )}
            {children}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A question that a press outside does not close, in a dialog of the role alertdialog. */
export function AlertDialogFrame({
  isOpen,
  title,
  description,
  onClose,
  initialFocus,
  children,
}: DialogProps & { readonly initialFocus?: RefObject<HTMLElement | null> }) {
  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup} {...(initialFocus === undefined ? {} : { initialFocus })}>
          <div className={styles.content}>
            <AlertDialog.Title>{title}</AlertDialog.Title>
            {description === undefined ? null : (
              <AlertDialog.Description className={styles.description}>{description}</AlertDialog.Description>
            )}
            {children}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** A question with two answers. The focus is on the one that changes nothing. */
export function ConfirmDialog({
  isOpen,
  title,
  description,
  confirmLabel,
  cancelLabel,
  onConfirm,
  onCancel,
  isBusy = false,
  children,
}: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly isBusy?: boolean;
  /** Such as the error of a failed try. */
  readonly children?: ReactNode;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialogFrame
      isOpen={isOpen}
      title={title}
      description={description}
      onClose={onCancel}
      initialFocus={cancel}
    >
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
