import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page, Section } from '../../app/page.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { useConfirmed } from '../../parts/confirm-identity.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ConfirmDialog, DialogActions } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice, ErrorLine, InfoLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import { useFormat } from '../../words/format.js';
import { Deliveries } from './deliveries.js';
import { refreshWebhooks, secretKey, webhooksQuery } from './queries.js';
import { valuesOf, WebhookForm, type WebhookValues } from './webhook-form.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

export function WebhookScreen() {
  const words = useWords();
  const { id } = useParams({ from: '/shell/dashboard/webhooks/$id' });
  const webhooks = useQuery(webhooksQuery);
  const webhook = webhooks.data?.find((each) => each.id === id);
  const back = <ButtonLink to="/dashboard/webhooks">{words.back}</ButtonLink>;
  if (webhook !== undefined) return <OneWebhook key={id} webhook={webhook} />;
  return (
    <Page title={words.heading}>
      <Loaded query={webhooks} lines={6}>
        {() => (
          <EmptyNotice heading={words.notFound} action={back}>
            {words.notFoundText}
          </EmptyNotice>
        )}
      </Loaded>
    </Page>
  );
}

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords();
  const format = useFormat();
  const { id, url, description, disabledReason, failingSince } = webhook;
  const [secret, setSecret] = useSecret(id);
  return (
    <Page
      title={description ?? url}
      intro={description === undefined ? undefined : url}
      action={<ButtonLink to="/dashboard/webhooks">{words.back}</ButtonLink>}
    >
      {secret === null ? null : <NewSecret secret={secret} onDone={() => setSecret(null)} />}
      {disabledReason === undefined ? null : (
        <InfoLine icon="alert">{words.disabledBecause(disabledReason)}</InfoLine>
      )}
      {failingSince === undefined ? null : (
        <InfoLine icon="alert">{words.failingSince(format.dateTime(failingSince))}</InfoLine>
      )}
      <Deliveries webhook={webhook} />
      <Settings webhook={webhook} onSecret={setSecret} />
    </Page>
  );
}

/** The new secret of a webhook, until it is copied or the screen is left. */
function useSecret(id: string) {
  const state = useState<string | null>(() => queryClient.getQueryData<string>(secretKey(id)) ?? null);
  useEffect(() => () => queryClient.removeQueries({ queryKey: secretKey(id) }), [id]);
  return state;
}

function NewSecret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  const words = useWords();
  return (
    <div className={styles.secret}>
      <TextField
        label={words.secret}
        description={words.secretText}
        value={secret}
        readOnly
        autoFocus
        onFocus={(event) => event.target.select()}
        action={<CopyButton text={secret} label={words.copySecret} look="secondary" isIcon={false} />}
      />
      <Button onClick={onDone}>{words.done}</Button>
    </div>
  );
}

function Settings({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}) {
  const words = useWords();
  const say = useStatus();
  const { id } = webhook;
  const [question, setQuestion] = useState<'replace' | 'remove' | null>(null);
  const save = useMutation({
    mutationFn: ({ description, eventTypes, ...values }: WebhookValues) =>
      api.webhooks.update(id, {
        ...values,
        eventTypes: [...eventTypes],
        description: description === '' ? null : description,
      }),
    onSuccess: async () => {
      await refreshWebhooks();
      say(words.saved);
    },
  });
  const close = () => setQuestion(null);
  return (
    <Section title={words.settings}>
      <div className={styles.settings}>
        <WebhookForm values={valuesOf(webhook)} isNew={false} error={save.error} onSave={save.mutate}>
          <DialogActions>
            <Button onClick={() => setQuestion('remove')}>{words.remove}</Button>
            <Button onClick={() => setQuestion('replace')}>{words.replace}</Button>
            <Button type="submit" look="primary" isBusy={save.isPending}>
              {words.save}
            </Button>
          </DialogActions>
        </WebhookForm>
      </div>
      {question === 'replace' ? <ReplaceDialog id={id} onSecret={onSecret} onClose={close} /> : null}
      {question === 'remove' ? <RemoveDialog id={id} onClose={close} /> : null}
    </Section>
  );
}

function ReplaceDialog({
  id,
  onSecret,
  onClose,
}: {
  readonly id: string;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const confirmed = useConfirmed();
  const rotate = useMutation({
    mutationFn: () => confirmed(() => api.webhooks.rotateSecret(id)),
    onSuccess: ({ data }) => {
      onSecret(data.secret);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={words.replaceHeading}
      description={words.replaceText}
      confirmLabel={words.replace}
      cancelLabel={words.keepSecret}
      isBusy={rotate.isPending}
      onConfirm={() => rotate.mutate()}
      onCancel={onClose}
    >
      <ErrorLine error={rotate.error} />
    </ConfirmDialog>
  );
}

function RemoveDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords();
  const say = useStatus();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api.webhooks.remove(id),
    onSuccess: async () => {
      await navigate({ to: '/dashboard/webhooks' });
      await refreshWebhooks();
      say(words.removed);
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={words.removeHeading}
      description={words.removeText}
      confirmLabel={words.remove}
      cancelLabel={words.keep}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <ErrorLine error={remove.error} />
    </ConfirmDialog>
  );
}
