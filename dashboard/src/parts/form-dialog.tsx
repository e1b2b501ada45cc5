import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog, DialogActions } from './dialog.js';
import { faultsByPath } from './fault-text.js';
import { FieldGroup } from './field.js';
import { ErrorLine } from './notice.js';
import { useWords } from './words.js';

/** A short form in a dialog. `children` gets the faults of the last try by path; those of `paths` stand at their fields. */
export function FormDialog({
  title,
  description,
  submitLabel,
  cancelLabel,
  paths,
  action,
  onDone,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly submitLabel: string;
  readonly cancelLabel: string;
  /** Of fields, as the API names them. */
  readonly paths: readonly string[];
  readonly action: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly children: (faults: ReadonlyMap<string, string>) => ReactNode;
}) {
  const words = useWords();
  const call = useMutation({
    mutationFn: action,
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  const faults = faultsByPath(call.error, words);
  const isKnown = paths.some((path) => faults.has(path));
  return (
    <Dialog isOpen title={title} description={description} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!call.isPending) call.mutate();
        }}
      >
        <FieldGroup>
          {children(faults)}
          {isKnown ? null : <ErrorLine error={call.error} />}
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button type="submit" look="primary" isBusy={call.isPending}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
