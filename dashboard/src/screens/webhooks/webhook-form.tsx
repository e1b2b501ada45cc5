import type { ReactNode } from 'react';
import { Controller, useForm } from 'react-hook-form';
import type { Webhook, WebhookCreate } from '@smartlink/client';
import { faultsByPath } from '../../parts/fault-text.js';
import { CheckboxField, FieldGroup, TextField } from '../../parts/field.js';
import { ErrorLine, ErrorText } from '../../parts/notice.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

type EventType = WebhookCreate['eventTypes'][number];

export type WebhookValues = {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[];
  readonly isEnabled: boolean;
};

export const NEW_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  eventTypes: ['smartlink.created', 'smartlink.updated', 'smartlink.deleted'],
  isEnabled: true,
};

export const valuesOf = ({ url, description = '', eventTypes, isEnabled }: Webhook): WebhookValues => ({
  url,
  description,
  eventTypes,
  isEnabled,
});

/** The fields of a webhook. `children` are its buttons. */
export function WebhookForm({
  values,
  isNew,
  error,
  onSave,
  children,
}: {
  readonly values: WebhookValues;
  readonly isNew: boolean;
  readonly error: unknown;
  readonly onSave: (values: WebhookValues) => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const faults = faultsByPath(error, usePartsWords());
  const { register, handleSubmit, control } = useForm<WebhookValues>({ values: { ...values } });
  const eventFault = [...faults].find(([path]) => path.startsWith('eventTypes'))?.[1];
  const isKnown = faults.has('url') || faults.has('description') || eventFault !== undefined;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSave)(event)}>
      <FieldGroup>
        <TextField
          label={words.address}
          description={words.addressHint}
          error={faults.get('url')}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          {...register('url', { setValueAs: (text: string) => text.trim() })}
        />
        <TextField
          label={words.description}
          description={words.descriptionHint}
          error={faults.get('description')}
          autoComplete="off"
          {...register('description', { setValueAs: (text: string) => text.trim() })}
        />
        <Controller
          control={control}
          name="eventTypes"
          render={({ field }) => <Events chosen={field.value} onChange={field.onChange} />}
        />
        {eventFault === undefined ? null : <ErrorText>{eventFault}</ErrorText>}
        {isNew ? null : <CheckboxField label={words.isEnabled} {...register('isEnabled')} />}
        {isKnown ? null : <ErrorLine error={error} />}
      </FieldGroup>
      {children}
    </form>
  );
}

function Events({
  chosen,
  onChange,
}: {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: readonly EventType[]) => void;
}) {
  const words = useWords();
  const { 'webhook.test': _everyWebhookGetsIt, ...names } = words.eventNames;
  return (
    <FieldGroup label={words.events}>
      <div className={styles.events}>
        {(Object.entries(names) as [EventType, string][]).map(([type, name]) => (
          <CheckboxField
            key={type}
            label={name}
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, type] : chosen.filter((each) => each !== type))
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
}
