// Made of clients/typescript/README.md by `npm run docs:client`. Edits are lost.

import { createSmartlinkClient, isSmartlinkError } from '@smartlink/client';

/** Runs every example of the README against a service; `console` takes what they print. */
export async function runExamples(
  baseUrl: string,
  apiKey: string,
  console: { log: (...values: unknown[]) => void },
): Promise<void> {
const client = createSmartlinkClient({
  baseUrl,
  apiKey,
});

const { data: smartlink } = await client.smartlinks.create({
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/docs' },
});
console.log(smartlink.relink); // http://127.0.0.1:8080/x7k2pq

{
const { data: menu } = await client.smartlinks.create({
  configuration: { smartlinkName: 'Lunch', smartlinkType: 'QrMenu' },
  qrMenu: {
    title: 'Lunch menu',
    categories: [{ name: 'Soups', items: [{ name: 'Lentil soup', price: 4.5 }] }],
  },
});
console.log(menu.qrMenu.currency); // ₼
}

{
const { data: one } = await client.smartlinks.get(smartlink.id);
if (one.type === 'Url') console.log(one.shortener.url);

for await (const each of client.smartlinks.listAll({ status: 'all', type: 'Url', q: 'docs' })) {
  console.log(each.relink, each.analytics.totalClicks);
}
}

{
const first = await client.smartlinks.list({ limit: 20 });
if (first.nextCursor !== null) {
  const second = await client.smartlinks.list({ limit: 20, cursor: first.nextCursor });
  console.log(second.data.length);
}
}

{
const busiest = await client.smartlinks.summaries({
  sort: 'visits',
  tag: 'spring,summer',
  limit: 50,
  count: 'true',
});
for (const { relink, destinationHost, lastVisitAt } of busiest.data)
  console.log(relink, destinationHost, lastVisitAt);
console.log(`${busiest.data.length} of ${busiest.totalCount}`);
}

{
await client.smartlinks.update(smartlink.id, {
  configuration: { smartlinkName: 'Documentation' },
  openGraph: { title: 'Our documentation' },
});
await client.smartlinks.setStatus(smartlink.id, 'Paused');
await client.smartlinks.setStatus(smartlink.id, 'Active');
}

{
const { data: read, etag } = await client.smartlinks.get(smartlink.id);
const smartlinkName = `${read.configuration.smartlinkName} (2026)`;
await client.smartlinks.update(smartlink.id, { configuration: { smartlinkName } }, { ifMatch: etag });
}

{
const { data: results } = await client.smartlinks.bulk([
  {
    create: {
      configuration: { smartlinkName: 'Note', smartlinkType: 'TxtBin' },
      txtBin: { text: 'hello' },
    },
  },
  { patch: { id: smartlink.id, openGraph: { description: 'All of it' } } },
  { delete: { smartlinkId: 'unknown' } },
]);
for (const result of results) console.log(result.status, result.success ? 'done' : result.error.code);
}

{
const { data: analytics } = await client.analytics.get(smartlink.id, {
  from: '2026-01-01',
  interval: 'week',
  tz: 'Asia/Baku',
});
console.log(analytics.totalClicks, analytics.analyticsData.length);
const { data: csv } = await client.analytics.csv(smartlink.id);
const { data: summary } = await client.analytics.summary();
const { data: countries } = await client.analytics.breakdown('country', { tag: 'spring' });
console.log(countries.rows.length, countries.total.visits);
const { data: presses } = await client.analytics.presses(smartlink.id);
console.log(presses.rows.map((row) => `${row.title ?? row.value}: ${row.presses}`));
console.log(csv.split('\r\n').length, summary.summary.totalSmartlinks);

const { data: svg } = await client.qr.svg(smartlink.id, { size: 256, color: '#123456' });
const { data: png } = await client.qr.png(smartlink.id, { ecc: 'H' });
console.log(svg.length, png.byteLength); // a string and a Uint8Array

const { data: visit } = await client.resolve(smartlink.id, {
  userAgent: 'Mozilla/5.0 (iPhone)',
  country: 'AZ',
});
console.log(visit.decision, visit.location);
}

{
const { data: folder } = await client.folders.create({ name: 'Documentation' });
await client.smartlinks.update(smartlink.id, {
  addTags: ['manual', 'v2'],
  folderId: folder.id,
  externalId: 'crm-4711',
});
for await (const tag of client.tags.listAll()) console.log(tag.name, tag.smartlinkCount);
const { data: found } = await client.smartlinks.getByExternalId('crm-4711');
console.log(found.tags);
await client.folders.remove(folder.id);
}

{
const { data: webhook } = await client.webhooks.create({
  url: 'https://hooks.example.org/smartlink',
  eventTypes: ['smartlink.unsafe'],
});
console.log(webhook.secret.length > 0); // shown here alone
for await (const delivery of client.webhooks.allDeliveries(webhook.id)) console.log(delivery.id);
await client.webhooks.remove(webhook.id);
}

{
try {
  await client.smartlinks.create({
    configuration: { smartlinkName: 'Bad', smartlinkType: 'Url', smartlinkUrl: 'not-latin' },
    shortener: { url: 'nowhere' },
  });
} catch (err) {
  if (!isSmartlinkError(err)) throw err;
  if (err.kind === 'api' && err.code === 'VALIDATION_FAILED') {
    for (const fault of err.details) console.log(fault.path, fault.message);
  } else {
    console.log(err.kind, err.message);
  }
}
}

{
const body = {
  configuration: { smartlinkName: 'Order 1042', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/orders/1042' },
} as const;
const once = await client.smartlinks.create(body, { idempotencyKey: 'order-1042' });
const again = await client.smartlinks.create(body, { idempotencyKey: 'order-1042' });
console.log(once.data.id === again.data.id); // true
}

{
const controller = new AbortController();
await client.analytics.summary({
  signal: controller.signal, // ends a request under way and a wait between two
  timeoutMs: 8_000, // a request, its answer included
  deadlineMs: 30_000, // the call, retries and waits included
  retries: 1,
});
}
}
