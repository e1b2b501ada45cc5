import { useFormat } from '../../../words/format.js';
import styles from './bulk-bar.module.css';

export function Progress({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}) {
  const format = useFormat();
  return (
    <div className={styles.progress}>
      <progress aria-label={label} max={total} value={done} />
      <span>
        {format.number(done)} / {format.number(total)}
      </span>
    </div>
  );
}
