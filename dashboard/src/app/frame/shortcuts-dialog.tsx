import { Button } from '../../parts/button.js';
import { Dialog, DialogActions } from '../../parts/dialogs/dialog.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from '../shortcuts.module.css';
import { useWords } from '../words.js';

/** The list of all keys. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords().shortcuts;
  const { close } = usePartsWords();
  return (
    <Dialog title={words.heading} description={words.text} onClose={onClose}>
      <dl className={styles.keys}>
        {Object.entries(words.keys).map(([key, text]) => (
          <div key={key} className={styles.line}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each} className={styles.key}>
                  {each}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={onClose}>{close}</Button>
      </DialogActions>
    </Dialog>
  );
}
