import { Button, type ButtonLook } from './button.js';
import { Icon } from './icon.js';
import { useStatus } from './status.js';
import { useWords } from './words.js';

/** Copies `text` to the clipboard. `isIcon`: `label` is the accessible name only. */
export function CopyButton({
  text,
  label,
  look = 'quiet',
  isIcon = true,
}: {
  readonly text: string;
  readonly label: string;
  readonly look?: ButtonLook;
  readonly isIcon?: boolean;
}) {
  const words = useWords();
  const say = useStatus();
  const copy = async () => say((await copyText(text)) ? words.copied : words.notCopied);
  return (
    <Button look={look} isIcon={isIcon} aria-label={isIcon ? label : undefined} onClick={() => void copy()}>
      <Icon name="copy" size={isIcon ? 18 : 20} />
      {isIcon ? null : label}
    </Button>
  );
}

/** Falls back to a selected field on plain http, where the clipboard API is missing. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.readOnly = true;
    field.style.position = 'fixed';
    field.style.opacity = '0';
    const focused = document.activeElement;
    (focused?.closest('[role=dialog],[role=alertdialog]') ?? document.body).append(field);
    field.select();
    // Deprecated, but without a successor on insecure origins.
    // oxlint-disable-next-line typescript/no-deprecated
    const isCopied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
