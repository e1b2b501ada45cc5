import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { api, apiError, hasCode } from '../../../app/api.js';
import { FileButton } from '../../../parts/button.js';
import { describeError } from '../../../parts/fault-text.js';
import { Icon } from '../../../parts/icon.js';
import { ErrorText } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import styles from '../editor.module.css';
import { useWords } from '../words.js';
import { Text, useFullName } from './fields.js';
import type { Values } from './values.js';

/** Mutation key of picture uploads. */
export const UPLOAD_KEY = ['editor', 'upload'] as const;

const BYTES_MAX = 10 * 1024 * 1024;
// Listed explicitly, so that phones convert their own formats.
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** The address of a picture. A chosen or dropped file is uploaded and its address filled in. */
export function PictureField(props: ComponentProps<typeof Text>) {
  const { name, label, of } = props;
  const words = useWords();
  const say = useStatus();
  const { setValue } = useFormContext<Values>();
  const signal = useUnmountSignal();
  const fullName = useFullName(of, label) ?? label;
  const upload = useMutation({
    mutationKey: UPLOAD_KEY,
    mutationFn: async (file: File) => {
      if (file.size > BYTES_MAX) return null;
      return (await api.media.upload(file, { signal: signal() })).data.url;
    },
    onSuccess: (url) => {
      if (url === null) return;
      setValue(name, url as never, { shouldDirty: true });
      say(words.uploaded);
    },
  });
  const refusal = useRefusal(upload.data === null ? 'size' : upload.error);
  const start = (file: File) => {
    if (!upload.isPending) upload.mutate(file);
  };
  return (
    <div
      className={styles.upload}
      onInput={() => {
        if (refusal !== null && !upload.isPending) upload.reset();
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        if (file === undefined) return;
        event.preventDefault();
        start(file);
      }}
    >
      <Text
        type="url"
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
        {...props}
        action={
          <FileButton
            accept={TYPES}
            aria-label={words.uploadPictureFor(fullName)}
            isBusy={upload.isPending}
            onFile={start}
          >
            <Icon name="upload" size={18} />
            {words.uploadPicture}
          </FileButton>
        }
      />
      {upload.isPending ? (
        <label className={styles.hint}>
          {words.uploading} <progress />
        </label>
      ) : null}
      {refusal === null ? null : <ErrorText>{refusal}</ErrorText>}
    </div>
  );
}

/** The reason why an upload was refused; null without an error. */
function useRefusal(error: Error | 'size' | null): string | null {
  const { pictureRefusals } = useWords();
  const partsWords = usePartsWords();
  if (error === null) return null;
  if (error === 'size' || hasCode(error, 'PAYLOAD_TOO_LARGE')) return pictureRefusals.size;
  if (hasCode(error, 'UNSUPPORTED_MEDIA_TYPE')) return pictureRefusals.type;
  if (hasCode(error, 'SUBSCRIPTION_LIMIT_REACHED')) return pictureRefusals.limit;
  const [fault] = (apiError(error)?.details ?? []) as readonly { readonly message: string }[];
  return pictureRefusals.faults[fault?.message ?? ''] ?? describeError(error, partsWords).text;
}

/** A signal that aborts on unmount. */
function useUnmountSignal(): () => AbortSignal {
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    return () => {
      controller.current.abort();
    };
  }, []);
  return () => controller.current.signal;
}
