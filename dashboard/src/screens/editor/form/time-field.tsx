import { useState } from 'react';
import { type FieldPathByValue, useController } from 'react-hook-form';
import { usePreferences } from '../../../app/preferences.js';
import { TextField } from '../../../parts/field.js';
import { useFault } from './faults.js';
import { useFullName } from './fields.js';
import { fromLocalTime, toLocalTime } from './local-time.js';
import type { Values } from './values.js';

/** An ISO time of the form, shown in the person's time zone. */
export function TimeField({
  name,
  of,
  label,
  description,
}: {
  readonly name: FieldPathByValue<Values, string>;
  readonly of?: string;
  readonly label: string;
  /** Names the time zone. */
  readonly description: string;
}) {
  const { timeZone } = usePreferences();
  const { field } = useController<Values, typeof name>({ name });
  // What is typed stays as it is until the form has another value.
  const [typed, setTyped] = useState({ text: '', time: '' });
  const time = field.value;
  return (
    <TextField
      type="datetime-local"
      id={name}
      ref={field.ref}
      label={label}
      aria-label={useFullName(of, label)}
      description={description}
      error={useFault(name)}
      value={time !== '' && typed.time === time ? typed.text : toLocalTime(time, timeZone)}
      onChange={({ target: { value: text } }) => {
        const next = { text, time: fromLocalTime(text, timeZone) };
        setTyped(next);
        field.onChange(next.time);
      }}
      onBlur={field.onBlur}
    />
  );
}
