import type { Webhook, WebhookCreate } from '@smartlink/client';
import { CheckboxField, FieldGroup, TextField } from '../../parts/field.js';
import type { ApiForm } from '../../parts/form.js';
import { ErrorText } from '../../parts/notice.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

type WebhookValues = {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: WebhookCreate['eventTypes'];
  readonly isEnabled: boolean;
};

const NEW_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  eventTypes: ['smartlink.created', 'smartlink.updated', 'smartlink.deleted'],
  isEnabled: true,
};

export function valuesOf(webhook?: Webhook): WebhookValues {
  if (webhook === undefined) return NEW_WEBHOOK;
  const { url, description = '', eventTypes, isEnabled } = webhook;
  return { url, description, eventTypes: [...eventTypes], isEnabled };
}

export function WebhookFields({
  form: { field, register, fault },
  isNew,
}: {
  readonly form: ApiForm<WebhookValues>;
  readonly isNew: boolean;
}) {
  const words = useWords();
  const { 'webhook.test': _everyWebhookGetsIt, ...events } = words.eventNames;
  const eventFault = fault('eventTypes');
  return (
    <>
      <TextField
        label={words.address}
        description={words.addressHint}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        {...field('url')}
      />
      <TextField
        label={words.description}
        description={words.descriptionHint}
        autoComplete="off"
        {...field('description')}
      />
      <FieldGroup label={words.events}>
        <div className={styles.events}>
          {Object.entries(events).map(([type, name]) => (
            <CheckboxField key={type} label={name} value={type} {...register('eventTypes')} />
          ))}
        </div>
      </FieldGroup>
      {eventFault === undefined ? null : <ErrorText>{eventFault}</ErrorText>}
      {isNew ? null : <CheckboxField label={words.isEnabled} {...register('isEnabled')} />}
    </>
  );
}
