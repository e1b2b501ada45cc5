import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NEW_LINK } from '../../app/link-paths.js';
import { accountQuery } from '../../app/queries.js';
import { Button } from '../../parts/button.js';
import { InkMark, TYPES } from '../../parts/ink.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from './links.module.css';
import { useWords } from './words.js';

/** The unfiltered list without links: a new account, or one whose links are all paused or archived. */
export function EmptyList({
  mayWrite,
  onShowAll,
}: {
  readonly mayWrite: boolean;
  readonly onShowAll: () => void;
}) {
  const words = useWords();
  const account = useQuery(accountQuery);
  return (
    <Loaded query={account}>
      {({ usage }) =>
        usage.smartlinks > 0 ? (
          <EmptyNotice
            heading={words.inactive.heading}
            action={<Button onClick={onShowAll}>{words.inactive.show}</Button>}
          >
            {words.inactive.text}
          </EmptyNotice>
        ) : mayWrite ? (
          <FirstLink />
        ) : (
          <EmptyNotice heading={words.empty.heading}>{words.empty.viewerText}</EmptyNotice>
        )
      }
    </Loaded>
  );
}

function FirstLink() {
  const { empty } = useWords();
  const { types } = usePartsWords();
  return (
    <div className={styles.empty}>
      <h2>{empty.heading}</h2>
      <p className={styles.emptyText}>{empty.text}</p>
      <ul className={styles.types}>
        {TYPES.map((type) => (
          <li key={type} className={styles.type}>
            <InkMark type={type} />
            <div>
              <Link to={NEW_LINK} search={{ type }} className={styles.typeLink}>
                {types[type]}
              </Link>
              <p className={styles.typeText}>{empty.types[type]}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  const words = useWords();
  return (
    <EmptyNotice heading={words.nothing.heading} action={<Button onClick={onClear}>{words.clear}</Button>}>
      {words.nothing.text}
    </EmptyNotice>
  );
}
