import { createLink } from '@tanstack/react-router';
import { type ComponentProps, useRef } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.js';

export type ButtonLook = 'primary' | 'secondary' | 'quiet';

type Look = {
  /** `primary`: the one main action of a screen or dialog. Default: secondary. */
  readonly look?: ButtonLook;
  /** Square, for an icon without text; needs an `aria-label`. */
  readonly isIcon?: boolean;
};

function classOf(look: ButtonLook, isIcon: boolean, more: string | undefined): string {
  return [styles.button, styles[look], isIcon ? styles.icon : '', more ?? ''].filter(Boolean).join(' ');
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Ignores presses but keeps the focus, as `disabled` would not. */
    readonly isBusy?: boolean;
  };

export function Button({
  look = 'secondary',
  isIcon = false,
  isBusy = false,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classOf(look, isIcon, className)}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A link to a file that looks like a button. */
export function ButtonAnchor({
  look = 'secondary',
  isIcon = false,
  className,
  ...rest
}: ComponentProps<'a'> & Look) {
  return <a {...rest} className={classOf(look, isIcon, className)} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);

/** Opens a form that adds something. */
export function AddButton({ children, look = 'primary', ...button }: ButtonProps) {
  return (
    <Button look={look} {...button}>
      <Icon name="plus" size={look === 'primary' ? 20 : 18} />
      {children}
    </Button>
  );
}

/** Downloads a file of the API. */
export function DownloadLink({ children, ...link }: ComponentProps<'a'>) {
  return (
    <ButtonAnchor {...link} download>
      <Icon name="import" />
      {children}
    </ButtonAnchor>
  );
}

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
