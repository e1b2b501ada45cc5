import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page, Section } from '../../app/page.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { useConfirmed } from '../../parts/dialogs/confirm-identity.js';
import { ConfirmAction, DialogActions, useDialog } from '../../parts/dialogs/dialog.js';
import { SecretField } from '../../parts/dialogs/secret-dialog.js';
import { FieldGroup } from '../../parts/field.js';
import { useApiForm } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice, InfoLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import { Deliveries } from './deliveries.js';
import { refreshWebhooks, secretKey, webhooksQuery } from './queries.js';
import { valuesOf, WebhookFields } from './webhook-form.js';
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
  const { done } = usePartsWords();
  const format = useFormat();
  const { id, url, description, disabledReason, failingSince } = webhook;
  const [secret, setSecret] = useSecret(id);
  return (
    <Page
      title={description ?? url}
      intro={description === undefined ? undefined : url}
      action={<ButtonLink to="/dashboard/webhooks">{words.back}</ButtonLink>}
    >
      {secret === null ? null : (
        <div className={styles.secret}>
          <SecretField
            label={words.secret}
            description={words.secretText}
            secret={secret}
            copyLabel={words.copySecret}
          />
          <Button onClick={() => setSecret(null)}>{done}</Button>
        </div>
      )}
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

/** The new secret of a webhook, until it is dismissed or the screen is left. */
function useSecret(id: string) {
  const state = useState<string | null>(() => queryClient.getQueryData<string>(secretKey(id)) ?? null);
  useEffect(() => () => queryClient.removeQueries({ queryKey: secretKey(id) }), [id]);
  return state;
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
  const { dialog, open, close } = useDialog();
  const form = useApiForm({
    values: valuesOf(webhook),
    action: ({ url, description: given, ...values }) => {
      const description = given.trim() === '' ? null : given.trim();
      return api.webhooks.update(id, { ...values, url: url.trim(), description });
    },
    onDone: async () => {
      await refreshWebhooks();
      say(words.saved);
    },
  });
  return (
    <Section title={words.settings}>
      <form noValidate className={styles.settings} onSubmit={form.submit}>
        <FieldGroup>
          <WebhookFields form={form} isNew={false} />
          {form.failure()}
        </FieldGroup>
        <DialogActions>
          <Button onClick={() => open(<RemoveDialog id={id} onClose={close} />)}>{words.remove}</Button>
          <Button onClick={() => open(<ReplaceDialog id={id} onDone={onSecret} onClose={close} />)}>
            {words.replace}
          </Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
      {dialog}
    </Section>
  );
}

type DialogProps = { readonly id: string; readonly onClose: () => void };

function ReplaceDialog({ id, ...dialog }: DialogProps & { readonly onDone: (secret: string) => void }) {
  const words = useWords();
  const confirmed = useConfirmed();
  return (
    <ConfirmAction
      title={words.replaceHeading}
      description={words.replaceText}
      confirmLabel={words.replace}
      cancelLabel={words.keepSecret}
      action={async () => (await confirmed(() => api.webhooks.rotateSecret(id))).data.secret}
      {...dialog}
    />
  );
}

function RemoveDialog({ id, onClose }: DialogProps) {
  const words = useWords();
  const say = useStatus();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      title={words.removeHeading}
      description={words.removeText}
      confirmLabel={words.remove}
      cancelLabel={words.keep}
      action={async () => {
        await api.webhooks.remove(id);
        await navigate({ to: '/dashboard/webhooks' });
        await refreshWebhooks();
      }}
      onDone={() => say(words.removed)}
      onClose={onClose}
    />
  );
}
