import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { refreshWebhooks, secretKey, webhooksQuery } from './queries.js';
import { NEW_WEBHOOK, WebhookForm, type WebhookValues } from './webhook-form.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

export function Webhooks() {
  const words = useWords();
  const webhooks = useQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {words.add}
    </Button>
  );
  return (
    <Page title={words.heading} intro={words.intro} action={webhooks.data?.length === 0 ? null : add}>
      <Loaded query={webhooks} lines={4}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.none} action={add}>
              {words.noneText}
            </EmptyNotice>
          ) : (
            <WebhookTable webhooks={list} />
          )
        }
      </Loaded>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<Webhook>[] = [
    {
      key: 'address',
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
      key: 'events',
      header: words.events,
      cell: ({ eventTypes }) => eventTypes.map((type) => words.eventNames[type]).join(', '),
    },
    { key: 'status', header: words.status, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
  return <Table label={words.heading} columns={columns} rows={webhooks} rowKey={({ id }) => id} />;
}

function WebhookStatus({ webhook: { isEnabled, failingSince } }: { readonly webhook: Webhook }) {
  const words = useWords();
  if (!isEnabled) return <span className={styles.badge}>{words.disabled}</span>;
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
  const create = useMutation({
    mutationFn: ({ url, description, eventTypes }: WebhookValues) =>
      api.webhooks.create({
        url,
        eventTypes: [...eventTypes],
        ...(description === '' ? {} : { description }),
      }),
    onSuccess: async ({ data: { id, secret } }) => {
      queryClient.setQueryData(secretKey(id), secret);
      await refreshWebhooks();
      await navigate({ to: '/dashboard/webhooks/$id', params: { id } });
    },
  });
  return (
    <Dialog isOpen title={words.add} onClose={onClose}>
      <WebhookForm values={NEW_WEBHOOK} isNew error={create.error} onSave={create.mutate}>
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </WebhookForm>
    </Dialog>
  );
}
