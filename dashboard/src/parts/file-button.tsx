import { type ComponentProps, useRef } from 'react';
import { Button } from './button.js';

/** A button that has the person choose a file. `accept`: media types, as of a file input. */
export function FileButton({
  accept,
  onFile,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  readonly accept: string;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        type="file"
        accept={accept}
        hidden
        ref={input}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again.
          target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
