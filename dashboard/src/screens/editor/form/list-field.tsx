import { useState } from 'react';
import { type FieldPathByValue, useController } from 'react-hook-form';
import { type Option, TextField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useFaultUnder } from './faults.js';
import type { Values } from './values.js';

/** The chosen values, and a field to add more. Labels of options are taken as their values; other texts as typed. */
export function ListField({
  name,
  label,
  fullName,
  description,
  listLabel,
  options,
  nameOf = (value) => value,
  removeLabel,
}: {
  readonly name: FieldPathByValue<Values, string[]>;
  readonly label: string;
  /** Accessible name in a repeated part. */
  readonly fullName?: string | undefined;
  readonly description?: string;
  readonly listLabel: string;
  readonly options: readonly Option[];
  readonly nameOf?: (value: string) => string;
  readonly removeLabel: (name: string) => string;
}) {
  const { field } = useController<Values, typeof name>({ name });
  const values = field.value as readonly string[];
  const [typed, setTyped] = useState('');
  const error = useFaultUnder(name);
  const add = () => {
    const read = (text: string): string | undefined =>
      options.find((option) => isSame(option.label, text) || isSame(option.value, text))?.value;
    const whole = read(typed);
    const texts = whole === undefined ? typed.split(',').map((text) => read(text) ?? text.trim()) : [whole];
    const added = new Set(texts.filter((text) => text !== '' && !values.includes(text)));
    if (added.size > 0) field.onChange([...values, ...added]);
    setTyped('');
  };
  return (
    <div className={styles.tags}>
      <TextField
        id={name}
        label={label}
        aria-label={fullName}
        description={description}
        error={error}
        list={`${name}.options`}
        autoComplete="off"
        value={typed}
        onChange={({ target: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ',') return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      <datalist id={`${name}.options`}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={text} />
        ))}
      </datalist>
      {values.length === 0 ? null : (
        <ul className={styles.chips} aria-label={listLabel}>
          {values.map((value) => (
            <li key={value} className={styles.chip}>
              {nameOf(value)}
              <button
                type="button"
                aria-label={removeLabel(nameOf(value))}
                onClick={() => field.onChange(values.filter((each) => each !== value))}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const isSame = (text: string, typed: string): boolean => text.toLowerCase() === typed.trim().toLowerCase();
