import type { ComponentProps } from 'react';
import { type FieldPathByValue, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { CheckboxField, SelectField, TextArea, TextField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useWords } from '../words.js';
import { useFault, useFaultUnder } from './faults.js';
import { ListField } from './list-field.js';
import { usePartNames } from './part-names.js';
import { completeLink, type Values } from './values.js';

// Form fields, identified by their path, with the service's faults.

type TextPath = FieldPathByValue<Values, string>;

/** `of`: the repeated part, for accessible names such as `Button 2 title`. */
type Named<Props> = Omit<Props, 'id' | 'name' | 'error' | 'label'> & {
  readonly name: TextPath;
  readonly label: string;
  readonly of?: string | undefined;
};

/** Accessible name of a field in a repeated part; undefined for others. */
export function useFullName(of: string | undefined, label: string): string | undefined {
  const names = usePartNames();
  return of === undefined ? undefined : names.field(of, label);
}

/** The props of a control: its registration, accessible name and fault. */
function useControl<Props>({ name, of, ...rest }: Named<Props>, error: string | undefined) {
  const { register } = useFormContext<Values>();
  return { 'aria-label': useFullName(of, rest.label), ...rest, ...register(name), id: name, error };
}

export function Text(props: Named<ComponentProps<typeof TextField>>) {
  return <TextField autoComplete="off" {...useControl(props, useFault(props.name))} />;
}

/** A link. What lacks its scheme gets a button that adds it. */
export function LinkText({
  isOnPage = false,
  ...props
}: Omit<Named<ComponentProps<typeof TextField>>, 'type'> & {
  /** Takes telephone numbers and e-mail addresses too. */
  readonly isOnPage?: boolean;
}) {
  const { name } = props;
  const words = useWords();
  const { setValue, setFocus } = useFormContext<Values>();
  const typed = useWatch<Values>({ name }) as string;
  const isFaulty = useFault(name) !== undefined;
  const link = isFaulty ? completeLink(typed, isOnPage) : null;
  return (
    <div className={styles.withButton}>
      <Text {...props} type={isOnPage ? 'text' : 'url'} inputMode="url" spellCheck={false} />
      {link === null ? null : (
        <Button
          onClick={() => {
            setValue(name, link as never, { shouldDirty: true });
            setFocus(name);
          }}
        >
          {words.useLink(link)}
        </Button>
      )}
    </div>
  );
}

export function LongText(props: Named<ComponentProps<typeof TextArea>>) {
  return <TextArea rows={3} {...useControl(props, useFault(props.name))} />;
}

export function Select(props: Named<ComponentProps<typeof SelectField>>) {
  return <SelectField {...useControl(props, useFault(props.name))} />;
}

/** Badges of an item: a list in the API, a single line here. */
export function ListText(props: Named<ComponentProps<typeof TextField>>) {
  return <TextField autoComplete="off" {...useControl(props, useFaultUnder(props.name))} />;
}

export function Checkbox({
  name,
  of,
  label,
}: {
  readonly name: FieldPathByValue<Values, boolean>;
  readonly of?: string;
  readonly label: string;
}) {
  const { register } = useFormContext<Values>();
  return <CheckboxField label={label} aria-label={useFullName(of, label)} {...register(name)} id={name} />;
}

const SIX_DIGITS = /^#[0-9a-f]{6}$/i;

/** A colour as text, with the browser's color picker. */
export function Color({ name, label }: { readonly name: TextPath; readonly label: string }) {
  const words = useWords();
  const { setValue } = useFormContext<Values>();
  const value = useWatch<Values>({ name }) as string;
  return (
    <Text
      name={name}
      label={label}
      placeholder="#1f2328"
      spellCheck={false}
      action={
        <input
          type="color"
          className={styles.color}
          aria-label={words.pickColor}
          value={SIX_DIGITS.test(value) ? value : '#1f2328'}
          onChange={({ target }) => setValue(name, target.value as never, { shouldDirty: true })}
        />
      }
    />
  );
}

/** The chosen tags, and a field to add more. */
export function Tags({ suggestions }: { readonly suggestions: readonly string[] }) {
  const words = useWords();
  return (
    <ListField
      name="tags"
      label={words.tags}
      description={words.tagsHint}
      listLabel={words.chosenTags}
      options={suggestions.map((name) => ({ value: name, label: name }))}
      removeLabel={words.removeTag}
    />
  );
}

/** The fault of a whole list, such as its length. */
export function ListFault({ path }: { readonly path: string }) {
  const fault = useFault(path);
  if (fault === undefined) return null;
  return (
    <p className={styles.fault}>
      <Icon name="alert" size={18} />
      {fault}
    </p>
  );
}
