import { useState } from 'react';
import type { Tag } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { CheckboxField, SelectField, TextField } from '../../../parts/field.js';
import { FormDialog } from '../../../parts/form-dialog.js';
import { useWords } from './words.js';

type DialogProps = { readonly onDone: () => void; readonly onClose: () => void };

const FIRST_COLOR = '#2f6f4f';

/** A new tag, or the name and the colour of one. */
export function TagDialog({ tag, onDone, onClose }: DialogProps & { readonly tag?: Tag }) {
  const words = useWords();
  const [name, setName] = useState(tag?.name ?? '');
  const [hasColor, setHasColor] = useState(tag?.color !== undefined);
  const [color, setColor] = useState(tag?.color ?? FIRST_COLOR);
  return (
    <FormDialog
      title={tag === undefined ? words.tags.add : words.tags.edit(tag.name)}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={['name', 'color']}
      action={() =>
        tag === undefined
          ? api.tags.create({ name, ...(hasColor ? { color } : {}) })
          : api.tags.update(tag.id, { name, color: hasColor ? color : null })
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
          <CheckboxField
            label={words.hasColor}
            checked={hasColor}
            onChange={({ target: { checked } }) => setHasColor(checked)}
          />
          {hasColor ? (
            <TextField
              type="color"
              label={words.color}
              // The field takes six digits alone.
              value={color.slice(0, 7).padEnd(7, '0')}
              error={faults.get('color')}
              onChange={({ target: { value } }) => setColor(value)}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

/** Moves the links of a tag to another one. */
export function MergeDialog({
  tag,
  tags,
  onDone,
  onClose,
}: DialogProps & { readonly tag: Tag; readonly tags: readonly Tag[] }) {
  const words = useWords();
  const others = tags.filter(({ id }) => id !== tag.id);
  const [intoId, setIntoId] = useState(others[0]?.id ?? '');
  return (
    <FormDialog
      title={words.tags.merge(tag.name)}
      description={words.tags.mergeText(tag.smartlinkCount)}
      submitLabel={words.tags.mergeSubmit}
      cancelLabel={words.cancel}
      paths={['intoId']}
      action={() => api.tags.merge(tag.id, intoId)}
      onDone={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <SelectField
          label={words.tags.into}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={intoId}
          error={faults.get('intoId')}
          onChange={({ target: { value } }) => setIntoId(value)}
        />
      )}
    </FormDialog>
  );
}
