import { useFormat } from '../words/format.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { Dialog, DialogActions } from './dialog.js';
import { TextField } from './field.js';
import { useWords } from './words.js';

/** Shows a one-time link, which no other answer holds. `description` says for whom it is. */
export function LinkDialog({
  title,
  description,
  label,
  link: { url, expiresAt },
  onClose,
}: {
  readonly title: string;
  readonly description: string;
  /** Of the field. */
  readonly label: string;
  readonly link: { readonly url: string; readonly expiresAt: string };
  readonly onClose: () => void;
}) {
  const { oneTimeLink: words } = useWords();
  const format = useFormat();
  return (
    <Dialog isOpen title={title} description={description} onClose={onClose}>
      <TextField
        label={label}
        description={words.works(format.dateTime(expiresAt))}
        value={url}
        readOnly
        autoFocus
        onFocus={(event) => event.target.select()}
        action={<CopyButton text={url} label={words.copy} look="secondary" isIcon={false} />}
      />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
