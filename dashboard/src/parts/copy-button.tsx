import { Button, type ButtonLook } from './button.js';
import { Icon } from './icon.js';
import { useStatus } from './status.js';
import { useWords } from './words.js';

/** Puts `text` on the clipboard and says so. Without `children` it shows an icon, and `label` is its name. */
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

/** Pages served over plain http have no clipboard of their own; there a selected field is copied. */
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
    // Deprecated, and without a successor on insecure origins.
    // oxlint-disable-next-line typescript/no-deprecated
    const isCopied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
