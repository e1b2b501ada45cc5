import { Button } from '../../../parts/button.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { DialogActions } from '../../../parts/dialog.js';
import { TextField } from '../../../parts/field.js';
import { useWords } from './words.js';

/** The key itself, which no other answer holds. */
export function NewKey({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) {
  const words = useWords();
  return (
    <>
      <TextField
        label={words.newKey}
        description={words.newKeyText}
        value={apiKey}
        readOnly
        autoFocus
        onFocus={(event) => event.target.select()}
        action={<CopyButton text={apiKey} label={words.copyKey} look="secondary" isIcon={false} />}
      />
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          {words.done}
        </Button>
      </DialogActions>
    </>
  );
}
