import { type ComponentProps, useState } from 'react';
import { CheckboxField, TextField } from './field.js';
import { useWords } from './words.js';

/** A password, hidden until its box is checked. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'action'>) {
  const words = useWords();
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <TextField {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      <CheckboxField
        label={words.showPassword}
        checked={isShown}
        onChange={(event) => setShown(event.target.checked)}
      />
    </div>
  );
}
