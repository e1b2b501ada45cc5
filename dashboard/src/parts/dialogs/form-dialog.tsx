import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../button.js';
import { FieldGroup } from '../field.js';
import { type ApiForm, useApiForm } from '../form.js';
import { useWords } from '../words.js';
import { Dialog, DialogActions } from './dialog.js';

/** A short form in a dialog. */
export function FormDialog<Values extends FieldValues, Result>({
  title,
  description,
  submitLabel,
  values,
  action,
  onDone,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly submitLabel: string;
  readonly values: Values;
  readonly action: (values: Values) => Promise<Result>;
  /** Called after `onClose`, so that it can open another dialog. */
  readonly onDone: (result: Result) => void;
  readonly onClose: () => void;
  readonly children: (form: ApiForm<Values>) => ReactNode;
}) {
  const { cancel } = useWords();
  const form = useApiForm({
    values,
    action,
    onDone: (result: Result) => {
      onClose();
      onDone(result);
    },
  });
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form noValidate onSubmit={form.submit}>
        <FieldGroup>
          {children(form)}
          {form.failure()}
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
