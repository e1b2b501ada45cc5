import { useState } from 'react';
import { type FieldPathByValue, useController } from 'react-hook-form';
import { usePreferences } from '../../../app/preferences.js';
import { TextField } from '../../../parts/field.js';
import { useFault } from '../form/faults.js';
import { useFullName } from '../form/fields.js';
import type { Values } from '../form/values.js';
import { fromLocalTime, toLocalTime } from './local-time.js';
import { useWords } from './words.js';

/** Names the person's time zone, in which times are typed. */
export function useZoneHint(): string {
  const words = useWords();
  const { timeZone } = usePreferences();
  return words.inZone(timeZone.replaceAll('_', ' '));
}

/** An ISO time of the form, shown in the person's time zone. */
export function TimeField({
  name,
  of,
  label,
}: {
  readonly name: FieldPathByValue<Values, string>;
  readonly of?: string;
  readonly label: string;
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
      description={useZoneHint()}
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
