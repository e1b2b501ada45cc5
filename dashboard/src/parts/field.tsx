import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.js';
import { useWords } from './words.js';

type FieldProps = {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  /** Shown below the control. */
  readonly error?: string | undefined;
};

type ControlIds = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
};

/** Label, control, description and error. `children` renders the control. */
export function Field({
  label,
  description,
  error,
  id: givenId,
  children,
}: FieldProps & { readonly id?: string | undefined; readonly children: (ids: ControlIds) => ReactNode }) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const described = [
    description === undefined ? '' : `${id}-description`,
    error === undefined ? '' : `${id}-error`,
  ].filter(Boolean);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {description === undefined ? null : (
        <p id={`${id}-description`} className={styles.description}>
          {description}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="alert" size={18} />
          {error}
        </p>
      )}
    </div>
  );
}

/** A single-line text field. Takes all props of an `input`. */
export function TextField({
  label,
  description,
  error,
  id,
  action,
  ...input
}: ComponentProps<'input'> &
  FieldProps & {
    /** A button beside the text. */
    readonly action?: ReactNode;
  }) {
  return (
    <Field label={label} description={description} error={error} id={id}>
      {(ids) => {
        const control = <input type="text" {...input} {...ids} className={styles.control} />;
        return action === undefined ? (
          control
        ) : (
          <div className={styles.row}>
            {control}
            {action}
          </div>
        );
      }}
    </Field>
  );
}

export function TextArea({
  label,
  description,
  error,
  id,
  className,
  ...textarea
}: ComponentProps<'textarea'> & FieldProps) {
  return (
    <Field label={label} description={description} error={error} id={id}>
      {(ids) => (
        <textarea {...textarea} {...ids} className={[styles.control, className].filter(Boolean).join(' ')} />
      )}
    </Field>
  );
}

export type Option = { readonly value: string; readonly label: string };

/** Options from labels by value. */
export const optionsOf = (labels: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** A native select, which works on every phone and screen reader. */
export function SelectField({
  label,
  description,
  error,
  id,
  options,
  ...select
}: ComponentProps<'select'> & FieldProps & { readonly options: readonly Option[] }) {
  return (
    <Field label={label} description={description} error={error} id={id}>
      {(ids) => (
        <select {...select} {...ids} className={styles.control}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckboxField({
  label,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & { readonly label: ReactNode }) {
  return (
    <label className={styles.check}>
      <input {...input} type="checkbox" />
      <span>{label}</span>
    </label>
  );
}

/** Stacked fields; with a `label`, a named group. */
export function FieldGroup({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  if (label === undefined) return <div className={styles.fields}>{children}</div>;
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

/** A choice among a few visible options. */
export function RadioGroup<Value extends string>({
  label,
  description,
  options,
  value,
  onChange,
}: {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <fieldset
      className={styles.group}
      role="radiogroup"
      aria-describedby={description === undefined ? undefined : `${id}-description`}
    >
      <legend>{label}</legend>
      {description === undefined ? null : (
        <p id={`${id}-description`} className={styles.description}>
          {description}
        </p>
      )}
      <div className={styles.segments}>
        {options.map((option) => (
          <label key={option.value} className={styles.segment}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A password field with a checkbox that reveals it. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'action'>) {
  const words = useWords();
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <TextField {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      <CheckboxField
        label={words.showPassword}
        checked={isShown}
        onChange={(event) => setShown(event.target.checked)}
      />
    </div>
  );
}
