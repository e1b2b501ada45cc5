import { useState } from 'react';
import type { UtmTemplate } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { TextField } from '../../../parts/field.js';
import { FormDialog } from '../../../parts/form-dialog.js';
import { ErrorText } from '../../../parts/notice.js';
import { useWords } from './words.js';

export const FIELDS = ['source', 'medium', 'campaign', 'term', 'content', 'ref'] as const;
type Field = (typeof FIELDS)[number];

export const parameterOf = (field: Field): string => (field === 'ref' ? 'ref' : `utm_${field}`);

/** A new template, or a change of one. An emptied parameter is cleared. */
export function TemplateDialog({
  template,
  onDone,
  onClose,
}: {
  readonly template?: UtmTemplate;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [name, setName] = useState(template?.name ?? '');
  const [values, setValues] = useState<Readonly<Partial<Record<Field, string>>>>(template?.utm ?? {});
  const utm = Object.fromEntries(
    FIELDS.map((field) => {
      const text = values[field]?.trim() ?? '';
      return [field, text === '' ? null : text];
    }),
  );
  return (
    <FormDialog
      title={template === undefined ? words.add : words.editOf(template.name)}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={['name', 'utm', ...FIELDS.map((field) => `utm.${field}`)]}
      action={() =>
        template === undefined
          ? api.utmTemplates.create({ name, utm })
          : api.utmTemplates.update(template.id, { name, utm })
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label={words.name}
            autoComplete="off"
            value={name}
            error={faults.get('name')}
            onChange={({ target: { value } }) => setName(value)}
          />
          {FIELDS.map((field) => (
            <TextField
              key={field}
              label={words.fields[field]}
              description={words.hints[field]}
              autoComplete="off"
              value={values[field] ?? ''}
              error={faults.get(`utm.${field}`)}
              onChange={({ target: { value } }) => setValues({ ...values, [field]: value })}
            />
          ))}
          {faults.has('utm') ? <ErrorText>{words.oneNeeded}</ErrorText> : null}
        </>
      )}
    </FormDialog>
  );
}
