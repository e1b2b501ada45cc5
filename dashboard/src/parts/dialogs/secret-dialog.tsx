import { useFormat } from '../../words/format.js';
import { Button } from '../button.js';
import { CopyButton } from '../copy-button.js';
import { TextField } from '../field.js';
import { useWords } from '../words.js';
import { Dialog, DialogActions } from './dialog.js';

type SecretProps = {
  readonly label: string;
  readonly description: string;
  readonly secret: string;
  readonly copyLabel: string;
};

/** A secret that the API returns only once, with a copy button. */
export function SecretField({ label, description, secret, copyLabel }: SecretProps) {
  return (
    <TextField
      label={label}
      description={description}
      value={secret}
      readOnly
      autoFocus
      onFocus={(event) => event.target.select()}
      action={<CopyButton text={secret} label={copyLabel} look="secondary" isIcon={false} />}
    />
  );
}

export function SecretDialog({
  title,
  text,
  onClose,
  ...secret
}: SecretProps & { readonly title: string; readonly text?: string; readonly onClose: () => void }) {
  const words = useWords();
  return (
    <Dialog title={title} description={text} onClose={onClose}>
      <SecretField {...secret} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Shows a one-time link. `text` names its recipient. */
export function LinkDialog({
  link: { url, expiresAt },
  ...dialog
}: Omit<Parameters<typeof SecretDialog>[0], keyof SecretProps> & {
  readonly label: string;
  readonly link: { readonly url: string; readonly expiresAt: string };
}) {
  const { oneTimeLink: words } = useWords();
  const format = useFormat();
  return (
    <SecretDialog
      {...dialog}
      secret={url}
      description={words.works(format.dateTime(expiresAt))}
      copyLabel={words.copy}
    />
  );
}
