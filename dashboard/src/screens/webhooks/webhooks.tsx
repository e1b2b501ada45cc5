import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Badge } from '../../parts/badge.js';
import { AddButton } from '../../parts/button.js';
import { useDialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Icon } from '../../parts/icon.js';
import { List } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { refreshWebhooks, secretKey, webhooksQuery } from './queries.js';
import { valuesOf, WebhookFields } from './webhook-form.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

export function Webhooks() {
  const words = useWords();
  const webhooks = useQuery(webhooksQuery);
  const columns = useColumns();
  const { dialog, open, close } = useDialog();
  const add = <AddButton onClick={() => open(<AddDialog onClose={close} />)}>{words.add}</AddButton>;
  return (
    <Page title={words.heading} intro={words.intro} action={webhooks.data?.length === 0 ? null : add}>
      <List
        query={webhooks}
        lines={4}
        empty={
          <EmptyNotice heading={words.none} action={add}>
            {words.noneText}
          </EmptyNotice>
        }
        label={words.heading}
        columns={columns}
        rowKey={({ id }) => id}
      />
      {dialog}
    </Page>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const words = useWords();
  const format = useFormat();
  return [
    {
      header: words.address,
      kind: 'main',
      cell: ({ id, url, description }) => (
        <div className={styles.receiver}>
          <Link to="/dashboard/webhooks/$id" params={{ id }}>
            {description ?? url}
          </Link>
          {description === undefined ? null : <span className={styles.url}>{url}</span>}
        </div>
      ),
    },
    {
      header: words.events,
      cell: ({ eventTypes }) => eventTypes.map((type) => words.eventNames[type]).join(', '),
    },
    { header: words.status, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    { header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
}

function WebhookStatus({ webhook: { isEnabled, failingSince } }: { readonly webhook: Webhook }) {
  const words = useWords();
  if (!isEnabled) return <Badge>{words.disabled}</Badge>;
  if (failingSince === undefined) return words.enabled;
  return (
    <span className={styles.failed}>
      <Icon name="alert" size={18} />
      {words.failing}
    </span>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.add}
      submitLabel={words.save}
      values={valuesOf()}
      action={async ({ url, description: given, eventTypes }) => {
        const description = given.trim();
        const body = { url: url.trim(), eventTypes, ...(description === '' ? {} : { description }) };
        const { id, secret } = (await api.webhooks.create(body)).data;
        queryClient.setQueryData(secretKey(id), secret);
        await refreshWebhooks();
        return id;
      }}
      onDone={(id) => void navigate({ to: '/dashboard/webhooks/$id', params: { id } })}
      onClose={onClose}
    >
      {(form) => <WebhookFields form={form} isNew />}
    </FormDialog>
  );
}
