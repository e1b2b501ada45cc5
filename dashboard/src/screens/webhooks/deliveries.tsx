import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Section } from '../../app/page.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions, useDialog } from '../../parts/dialogs/dialog.js';
import { optionsOf, SelectField } from '../../parts/field.js';
import { List, pagesQuery } from '../../parts/list.js';
import { EmptyNotice, ErrorLine, InfoLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import { deliverySearch } from './search.js';
import styles from './webhooks.module.css';
import { useWords } from './words.js';

// While an attempt is due, and otherwise.
const POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;
const SOON_MS = 60_000;

const ROUTE = '/shell/dashboard/webhooks/$id';

const isSoon = ({ nextAttemptAt }: WebhookDelivery): boolean =>
  nextAttemptAt !== undefined && Date.parse(nextAttemptAt) < Date.now() + SOON_MS;

const DELIVERIES = 'webhookDeliveries';

/** The delivery log of a webhook, kept current by polling. */
export function Deliveries({ webhook: { id, isEnabled } }: { readonly webhook: Webhook }) {
  const words = useWords();
  const test = useSend(api.webhooks.test, words.tested);
  const button = (
    <Button look="primary" isBusy={test.isPending} onClick={() => test.mutate(id)}>
      {words.test}
    </Button>
  );
  return (
    <Section title={words.deliveries} action={isEnabled ? button : null}>
      {isEnabled ? null : <InfoLine>{words.testOff}</InfoLine>}
      <ErrorLine error={test.error} />
      <DeliveryList id={id} canSend={isEnabled} />
    </Section>
  );
}

/** Queues a message; `send` takes the id of a webhook or of a delivery. */
function useSend(send: (id: string) => Promise<unknown>, said: string) {
  const say = useStatus();
  return useMutation({
    mutationFn: (id: string) => send(id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [DELIVERIES] });
      say(said);
    },
  });
}

function DeliveryList({ id, canSend }: { readonly id: string; readonly canSend: boolean }) {
  const words = useWords();
  const navigate = useNavigate({ from: '/dashboard/webhooks/$id' });
  const { status } = useSearch({ from: ROUTE });
  const deliveries = useInfiniteQuery({
    ...pagesQuery([DELIVERIES, id, status], (page, signal) =>
      api.webhooks.deliveries(id, { ...page, status }, { signal }),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isSoon)) === true ? POLL_MS : IDLE_POLL_MS,
  });
  const again = useSend(api.webhooks.redeliver, words.queued);
  const { dialog, open, close } = useDialog();
  const columns = useColumns((delivery) => open(<MessageDialog delivery={delivery} onClose={close} />));
  const show = (chosen: string) =>
    void navigate({ search: deliverySearch({ status: chosen }), replace: true });
  const sendAgain = (delivery: WebhookDelivery) => (
    <Button
      look="quiet"
      isBusy={again.isPending && again.variables === delivery.id}
      onClick={() => again.mutate(delivery.id)}
    >
      {words.again}
    </Button>
  );
  return (
    <>
      <ErrorLine error={again.error} />
      <div className={styles.filter}>
        <SelectField
          label={words.show}
          value={status ?? ''}
          options={[{ value: '', label: words.all }, ...optionsOf(words.statuses)]}
          onChange={({ target: { value } }) => show(value)}
        />
      </div>
      <List
        query={deliveries}
        lines={4}
        empty={
          status === undefined ? (
            <EmptyNotice heading={words.noDeliveries}>{words.noDeliveriesText}</EmptyNotice>
          ) : (
            <EmptyNotice
              heading={words.noneFound}
              action={<Button onClick={() => show('')}>{words.showAll}</Button>}
            />
          )
        }
        label={words.deliveries}
        columns={columns}
        rowKey={(delivery) => delivery.id}
        actions={canSend ? sendAgain : undefined}
      />
      {dialog}
    </>
  );
}

function useColumns(onShow: (delivery: WebhookDelivery) => void): readonly Column<WebhookDelivery>[] {
  const words = useWords();
  const format = useFormat();
  return [
    {
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
    { header: words.when, cell: ({ occurredAt }) => format.dateTime(occurredAt) },
    {
      header: words.status,
      cell: ({ status }) => <Badge>{words.statuses[status]}</Badge>,
    },
    {
      header: words.attempts,
      kind: 'number',
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      header: words.answer,
      cell: ({ responseStatus, error }) => error ?? responseStatus ?? '–',
    },
    {
      header: words.duration,
      kind: 'number',
      cell: ({ durationMs }) =>
        durationMs === undefined ? '–' : words.milliseconds(format.number(durationMs)),
    },
    {
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
  const { close } = usePartsWords();
  return (
    <Dialog
      isWide
      title={words.eventNames[eventType]}
      description={`${words.messageId}: ${id}`}
      onClose={onClose}
    >
      {/* Scrollable by keyboard. */}
      <pre className={styles.message} tabIndex={0} role="region" aria-label={words.message}>
        {JSON.stringify(data, null, 2)}
      </pre>
      <DialogActions>
        <Button onClick={onClose}>{close}</Button>
      </DialogActions>
    </Dialog>
  );
}
