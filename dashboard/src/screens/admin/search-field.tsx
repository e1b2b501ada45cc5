import { useEffect, useRef, useState } from 'react';
import { Form } from '../../app/page.js';
import { TextField } from '../../parts/field.js';

const WAIT_MS = 150;

/** A search that goes into the address after a short pause of typing. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Back, or "Clear search".
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Form role="search" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label={label}
        type="search"
        maxLength={128}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            sent.current = target.value.trim();
            onChange(sent.current === '' ? undefined : sent.current);
          }, WAIT_MS);
        }}
      />
    </Form>
  );
}
