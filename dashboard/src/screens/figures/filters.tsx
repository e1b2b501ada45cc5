import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import styles from './figures.module.css';
import { DIMENSIONS, FILTERS, type FiguresQuery } from './query.js';
import { useValueNames } from './value-names.js';
import { useWords } from './words.js';

/** Active filters, each with a button to remove it. */
export function Filters({
  query,
  onChange,
}: {
  readonly query: FiguresQuery;
  readonly onChange: (changes: Partial<FiguresQuery>) => void;
}) {
  const words = useWords();
  const nameOf = useValueNames();
  const given = DIMENSIONS.flatMap((dimension) => {
    const value = query[FILTERS[dimension]];
    return value === undefined ? [] : [{ dimension, name: nameOf(dimension, value) }];
  });
  if (given.length === 0) return null;
  return (
    <ul aria-label={words.filters} className={styles.filters}>
      {given.map(({ dimension, name }) => (
        <li key={dimension}>
          <Button
            aria-label={words.removeFilter(words.one[dimension], name)}
            onClick={() => onChange({ [FILTERS[dimension]]: undefined })}
          >
            <span className={styles.muted}>{words.one[dimension]}</span> {name}
            <Icon name="close" size={16} />
          </Button>
        </li>
      ))}
    </ul>
  );
}
