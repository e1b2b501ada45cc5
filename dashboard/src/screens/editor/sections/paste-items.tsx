import { useState } from 'react';
import { Button } from '../../../parts/button.js';
import { Dialog, DialogActions } from '../../../parts/dialogs/dialog.js';
import { TextArea } from '../../../parts/field.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import { parseItems } from '../form/parse-items.js';
import type { Item } from '../form/values.js';
import { useWords } from '../words.js';

/** Adds items from a pasted table. */
export function PasteItems({
  onAdd,
  onClose,
}: {
  readonly onAdd: (items: readonly Item[]) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const { cancel } = usePartsWords();
  const [table, setTable] = useState('');
  const items = parseItems(table);
  return (
    <Dialog title={words.pasteItems} onClose={onClose} isWide>
      <TextArea
        label={words.table}
        description={words.tableHint}
        rows={8}
        spellCheck={false}
        placeholder={words.tableExample}
        value={table}
        onChange={({ target: { value } }) => setTable(value)}
      />
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          look="primary"
          disabled={items.length === 0}
          onClick={() => {
            onAdd(items);
            onClose();
          }}
        >
          {words.addItems(items.length)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
