import type { Import } from '@smartlink/client';
import { Section } from '../../app/page.js';
import { ButtonLink, DownloadLink } from '../../parts/button.js';
import { ErrorText } from '../../parts/notice.js';
import { useFormat } from '../../words/format.js';
import styles from './import.module.css';
import { reportAddress } from './queries.js';
import { useWords } from './words.js';

export function RunningImport({ running }: { readonly running: Import }) {
  const words = useWords();
  const format = useFormat();
  const { done, total } = running;
  return (
    <Section title={words.running}>
      <p className={styles.text}>{words.runningText}</p>
      <progress
        className={styles.progress}
        aria-label={words.progress}
        max={Math.max(total, 1)}
        value={done}
      />
      <ul className={styles.counts}>
        <li className={styles.total}>{words.doneOf(format.number(done), format.number(total))}</li>
        <Counts counted={running} />
      </ul>
    </Section>
  );
}

export function EndedImport({ ended }: { readonly ended: Import }) {
  const words = useWords();
  const isDone = ended.state === 'done';
  return (
    <Section title={isDone ? words.done : words.failed}>
      {isDone ? null : <ErrorText>{words.failedText}</ErrorText>}
      <ul className={styles.counts}>
        <Counts counted={ended} />
      </ul>
      <div className={styles.actions}>
        <DownloadLink href={reportAddress(ended.id)}>{words.report}</DownloadLink>
        <ButtonLink to="/dashboard/import" look="quiet">
          {words.another}
        </ButtonLink>
      </div>
    </Section>
  );
}

function Counts({ counted: { created, refused } }: { readonly counted: Import }) {
  const words = useWords();
  const format = useFormat();
  return (
    <>
      <li className={styles.count}>{words.created(format.number(created))}</li>
      <li className={styles.count}>{words.refused(format.number(refused))}</li>
    </>
  );
}
