import { useFormat } from '../../../words/format.js';
import { useEditor } from '../editor-context.js';
import styles from '../editor.module.css';
import { LinkText, ListFault, Text } from '../form/fields.js';
import { TimeField } from './time-field.js';
import { useWords } from './words.js';

/** When the link is live, for how many visits, and what follows. */
export function Availability() {
  const words = useWords();
  return (
    <div className={styles.group} id="availability" tabIndex={-1}>
      <p className={styles.hint}>{words.availabilityHint}</p>
      <ListFault path="availability" />
      <Now />
      <div className={styles.pair}>
        <TimeField name="availability.startsAt" label={words.startsAt} />
        <TimeField name="availability.expiresAt" label={words.expiresAt} />
      </div>
      <Text
        name="availability.maxVisits"
        label={words.maxVisits}
        description={words.maxVisitsHint}
        inputMode="numeric"
      />
      <LinkText name="availability.expiredUrl" label={words.expiredUrl} description={words.expiredUrlHint} />
    </div>
  );
}

/** State and visits used of the saved link. */
function Now() {
  const words = useWords();
  const format = useFormat();
  const saved = useEditor().link?.availability;
  if (saved?.state === undefined) return null;
  const { visitsUsed, maxVisits } = saved;
  const isLimited = typeof maxVisits === 'number' && visitsUsed !== undefined;
  return (
    <p>
      <strong>{words.states[saved.state]}</strong>
      {isLimited ? ` ${words.used(format.number(visitsUsed), format.number(maxVisits))}` : null}
    </p>
  );
}
