import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Section } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice, ErrorLine, InfoLine } from '../../parts/notice.js';
import { pagesQuery } from '../../parts/pages.js';
import { ShowMore } from '../../parts/show-more.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { DELIVERY_STATUSES } from './search.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

// While a message is about to be sent, and while others may arrive.
const POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;
const SOON_MS = 60_000;

const ROUTE = '/shell/dashboard/webhooks/$id';

const isSoon = ({ nextAttemptAt }: WebhookDelivery): boolean =>
  nextAttemptAt !== undefined && Date.parse(nextAttemptAt) < Date.now() + SOON_MS;

const deliveriesKey = (id: string) => ['webhookDeliveries', id] as const;

/** The log of a webhook, which follows what is being sent. */
export function Deliveries({ webhook: { id, isEnabled } }: { readonly webhook: Webhook }) {
  const words = useWords();
  const say = useStatus();
  const navigate = useNavigate({ from: '/dashboard/webhooks/$id' });
  const { status } = useSearch({ from: ROUTE });
  const deliveries = useInfiniteQuery({
    ...pagesQuery([...deliveriesKey(id), status], (page, signal) =>
      api.webhooks.deliveries(id, { ...page, status }, { signal }),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isSoon)) === true ? POLL_MS : IDLE_POLL_MS,
  });
  const test = useMutation({
    mutationFn: () => api.webhooks.test(id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) });
      say(words.tested);
    },
  });
  const show = (chosen: WebhookDelivery['status'] | undefined) => {
    void navigate({ search: { status: chosen }, replace: true });
  };
  return (
    <Section
      title={words.deliveries}
      action={
        isEnabled ? (
          <Button look="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
            {words.test}
          </Button>
        ) : null
      }
    >
      {isEnabled ? null : <InfoLine>{words.testOff}</InfoLine>}
      <ErrorLine error={test.error} />
      <StatusFilter status={status} onChange={show} />
      <Loaded query={deliveries} lines={4}>
        {(list) =>
          list.length > 0 ? (
            <DeliveryTable deliveries={list} canSend={isEnabled} />
          ) : status === undefined ? (
            <EmptyNotice heading={words.noDeliveries}>{words.noDeliveriesText}</EmptyNotice>
          ) : (
            <EmptyNotice
              heading={words.noneFound}
              action={<Button onClick={() => show(undefined)}>{words.showAll}</Button>}
            />
          )
        }
      </Loaded>
      <ShowMore query={deliveries} />
    </Section>
  );
}

function StatusFilter({
  status,
  onChange,
}: {
  readonly status: WebhookDelivery['status'] | undefined;
  readonly onChange: (status: WebhookDelivery['status'] | undefined) => void;
}) {
  const words = useWords();
  return (
    <div className={styles.filter}>
      <SelectField
        label={words.show}
        value={status ?? ''}
        options={[
          { value: '', label: words.all },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: words.statuses[value] })),
        ]}
        onChange={(event) => onChange(DELIVERY_STATUSES.find((each) => each === event.target.value))}
      />
    </div>
  );
}

function DeliveryTable({
  deliveries,
  canSend,
}: {
  readonly deliveries: readonly WebhookDelivery[];
  readonly canSend: boolean;
}) {
  const words = useWords();
  const say = useStatus();
  const [shown, setShown] = useState<WebhookDelivery | null>(null);
  const again = useMutation({
    mutationFn: ({ id }: WebhookDelivery) => api.webhooks.redeliver(id),
    onSuccess: async (_answer, { webhookId }) => {
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
      say(words.queued);
    },
  });
  const actions: Column<WebhookDelivery> = {
    key: 'actions',
    header: words.actions,
    kind: 'actions',
    cell: (delivery) => (
      <Button
        look="quiet"
        isBusy={again.isPending && again.variables.id === delivery.id}
        onClick={() => again.mutate(delivery)}
      >
        {words.again}
      </Button>
    ),
  };
  const columns = useColumns(setShown);
  return (
    <>
      <ErrorLine error={again.error} />
      <Table
        label={words.deliveries}
        columns={canSend ? [...columns, actions] : columns}
        rows={deliveries}
        rowKey={({ id }) => id}
      />
      {shown === null ? null : <MessageDialog delivery={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function useColumns(onShow: (delivery: WebhookDelivery) => void): readonly Column<WebhookDelivery>[] {
  const words = useWords();
  const format = useFormat();
  return [
    {
      key: 'event',
      header: words.event,
      kind: 'main',
      cell: (delivery) => (
        <button
          type="button"
          className={styles.event}
          aria-label={words.showMessage(words.eventNames[delivery.eventType])}
          onClick={() => onShow(delivery)}
        >
          {words.eventNames[delivery.eventType]}
        </button>
      ),
    },
    { key: 'when', header: words.when, cell: ({ occurredAt }) => format.dateTime(occurredAt) },
    {
      key: 'status',
      header: words.status,
      cell: ({ status }) => <span className={styles.badge}>{words.statuses[status]}</span>,
    },
    {
      key: 'attempts',
      header: words.attempts,
      kind: 'number',
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      key: 'answer',
      header: words.answer,
      cell: ({ responseStatus, error }) => error ?? responseStatus ?? '–',
    },
    {
      key: 'duration',
      header: words.duration,
      kind: 'number',
      cell: ({ durationMs }) =>
        durationMs === undefined ? '–' : words.milliseconds(format.number(durationMs)),
    },
    {
      key: 'nextTry',
      header: words.nextTry,
      cell: ({ nextAttemptAt }) => (nextAttemptAt === undefined ? '–' : format.ago(nextAttemptAt)),
    },
  ];
}

function MessageDialog({
  delivery: { id, eventType, data },
  onClose,
}: {
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}) {
  const words = useWords();
  return (
    <Dialog
      isOpen
      isWide
      title={words.eventNames[eventType]}
      description={`${words.messageId}: ${id}`}
      onClose={onClose}
    >
      {/* Long ones scroll, by the keyboard too. */}
      <pre className={styles.message} tabIndex={0} role="region" aria-label={words.message}>
        {JSON.stringify(data, null, 2)}
      </pre>
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
