import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useFault } from './faults.js';

/** What is wrong with a whole list, as that it is too long. */
export function ListFault({ path }: { readonly path: string }) {
  const fault = useFault(path);
  if (fault === undefined) return null;
  return (
    <p className={styles.fault}>
      <Icon name="alert" size={18} />
      {fault}
    </p>
  );
}
