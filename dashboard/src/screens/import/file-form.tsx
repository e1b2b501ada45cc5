import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ImportFormat } from '@smartlink/client';
import { api, apiError, hasCode } from '../../app/api.js';
import { Form, FormActions } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Field, SelectField } from '../../parts/field.js';
import { ErrorLine } from '../../parts/notice.js';
import styles from './import.module.css';
import { keepChecked } from './queries.js';
import { useWords } from './words.js';

const FILE_BYTES_MAX = 200 * 1024 * 1024;

/** Uploads a file for checking, then opens the result. */
export function FileForm() {
  const words = useWords();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<ImportFormat | undefined>(undefined);
  const [isMissing, setMissing] = useState(false);
  const check = useMutation({
    mutationFn: (chosen: File) => api.imports.upload(chosen, format === undefined ? {} : { format }),
    onSuccess: async ({ data }) => {
      keepChecked(data);
      await navigate({ to: '/dashboard/import', search: { id: data.id } });
    },
  });
  const isTooLarge = (file?.size ?? 0) > FILE_BYTES_MAX;
  const fault = isMissing ? words.chooseFile : isTooLarge ? words.tooLarge : faultOf(check.error, words);
  const submit = () => {
    setMissing(file === null);
    if (file !== null && !isTooLarge && !check.isPending) check.mutate(file);
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={words.file} description={words.fileHint} error={fault}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".csv,.json,.ndjson,.jsonl,.gz"
            className={styles.file}
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null);
              setMissing(false);
              check.reset();
            }}
          />
        )}
      </Field>
      <SelectField
        label={words.format}
        value={format ?? ''}
        options={[
          { value: '', label: words.detected },
          ...Object.entries(words.formatNames).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => {
          const { value } = event.target;
          setFormat(value === '' ? undefined : (value as ImportFormat));
        }}
      />
      {fault === undefined ? <ErrorLine error={check.error} /> : null}
      <FormActions>
        <Button type="submit" look="primary" isBusy={check.isPending}>
          {words.check}
        </Button>
      </FormActions>
      {check.isPending ? (
        <p className={styles.text} role="status">
          {words.checking}
        </p>
      ) : null}
    </Form>
  );
}

/** The fault of the file; undefined for other errors. */
function faultOf(error: unknown, words: ReturnType<typeof useWords>): string | undefined {
  if (hasCode(error, 'PAYLOAD_TOO_LARGE')) return words.tooLarge;
  const failure = apiError(error);
  if (failure?.code !== 'VALIDATION_FAILED') return undefined;
  const found = (failure.details ?? []).map(({ message }) => message).join('; ');
  return found === '' ? words.noLinks : `${words.noLinks} (${found})`;
}
