import { type FieldPathByValue, useController } from 'react-hook-form';
import { CheckboxField, type Option } from '../../../parts/field.js';
import styles from '../editor.module.css';
import { ListFault } from '../form/fields.js';
import type { Values } from '../form/values.js';

/** Checkboxes of a few values, kept in the order of the options. */
export function Choice({
  name,
  label,
  options,
}: {
  readonly name: FieldPathByValue<Values, string[]>;
  readonly label: string;
  readonly options: readonly Option[];
}) {
  const { field } = useController<Values, typeof name>({ name });
  const values = field.value as readonly string[];
  return (
    <fieldset className={styles.choice} id={name} tabIndex={-1}>
      <legend>{label}</legend>
      <ListFault path={name} />
      <div className={styles.row}>
        {options.map(({ value, label: text }) => (
          <CheckboxField
            key={value}
            label={text}
            checked={values.includes(value)}
            onChange={({ target: { checked } }) => {
              const isChosen = (each: string) => (each === value ? checked : values.includes(each));
              field.onChange(options.map((option) => option.value).filter(isChosen));
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
