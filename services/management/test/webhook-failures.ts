import { randomUUID } from 'node:crypto';
import type { Caller } from './start-service.js';

type Answer = Awaited<ReturnType<Caller['call']>>;

const URL = 'https://hooks.example.org/';
const EVENT_TYPES = ['smartlink.created'];

/** What brings about the failures of the webhooks' operations, by the names of their examples. */
export function webhookFailures(api: () => Caller): Record<string, Record<string, () => Promise<Answer>>> {
  const create = (body: object) => api().post('/webhooks', { url: URL, eventTypes: EVENT_TYPES, ...body });
  const createOne = async () => String((await create({})).body.data.id);
  const id = randomUUID();
  return {
    createWebhook: {
      faults: () => create({ url: 'http://192.168.1.1/', eventTypes: [] }),
      tooMany: async () => {
        let answer = await create({});
        for (let i = 0; i < 20 && answer.status === 201; i += 1) answer = await create({});
        const { data } = (await api().get('/webhooks')).body as { data: { id: string }[] };
        for (const webhook of data) await api().delete('/webhooks', { webhookId: webhook.id });
        return answer;
      },
    },
    updateWebhook: {
      url: async () => api().patch('/webhooks', { id: await createOne(), url: 'http://localhost/' }),
      notFound: () => api().patch('/webhooks', { id }),
    },
    deleteWebhook: {
      missingId: () => api().delete('/webhooks', { id }),
      notFound: () => api().delete('/webhooks', { webhookId: id }),
    },
    rotateWebhookSecret: {
      missingId: () => api().post('/webhooks/rotate-secret', {}),
      notFound: () => api().post('/webhooks/rotate-secret', { id }),
    },
    testWebhook: {
      disabled: async () => {
        const disabled = await createOne();
        await api().patch('/webhooks', { id: disabled, isEnabled: false });
        return api().post('/webhooks/test', { id: disabled });
      },
      notFound: () => api().post('/webhooks/test', { id }),
    },
    listWebhookDeliveries: {
      parameters: () => api().get('/webhooks/deliveries?status=Gone'),
      notFound: () => api().get(`/webhooks/deliveries?id=${id}`),
    },
    redeliverWebhook: {
      missingId: () => api().post('/webhooks/redeliver', {}),
      notFound: () => api().post('/webhooks/redeliver', { deliveryId: id }),
    },
  };
}
