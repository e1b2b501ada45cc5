import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { createSmartlinkClient } from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/data-folder';
import { runTrial, visit } from './trial.js';

const HELP = `Sends one real visit through the running stack and follows it into analytics.

  npm run send-visit

It creates a link with the demo key, visits it as a browser does, waits for the event in ClickHouse and in analytics, deletes
the link and waits until it is gone. Each step is printed with its duration.
Start the stack first, in another terminal: npm start`;

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const STEP_LIMIT_MS = 30_000;

await runTrial(HELP, sendVisit);

async function sendVisit(stack: RunningStack): Promise<void> {
  const api = createSmartlinkClient({ baseUrl: stack.managementUrl, apiKey: stack.demoKey });
  const clickhouse = createClient({ url: stack.clickhouseUrl });
  const startedAt = performance.now();
  try {
    const link = await step('created over the API', async () => {
      const { data } = await api.smartlinks.create({
        configuration: { smartlinkName: 'send-visit', smartlinkType: 'Url' },
        shortener: { url: 'https://example.org/send-visit' },
      });
      return { ...data, detail: data.relink };
    });
    await step('visited', async () => {
      const { status, headers } = await visit(link.relink, BROWSER);
      if (status !== 302) throw new Error(`The visit was answered ${status}, not 302`);
      return { detail: `302 to ${headers.get('location') ?? ''}` };
    });
    await step('stored in ClickHouse', async () => {
      const rows = await clickhouse.query({
        query: 'select event_id from events final where smartlink_id = {id:UUID}',
        query_params: { id: link.id },
        format: 'JSONEachRow',
      });
      const [event] = await rows.json<{ event_id: string }>();
      return event ? { detail: `event ${event.event_id}` } : null;
    });
    await step('counted in analytics', async () => {
      const { totalClicks } = (await api.analytics.get(link.id)).data;
      if (totalClicks > 1) throw new Error(`Analytics counts ${totalClicks} clicks, not 1`);
      return totalClicks === 1 ? { detail: '1 click' } : null;
    });
    await api.smartlinks.remove(link.id);
    await step('deleted, 410 for visitors', async () => {
      const { status } = await visit(link.relink, BROWSER);
      return status === 410 ? { detail: '410' } : null;
    });
    console.log(`One visit, counted once, in ${(performance.now() - startedAt).toFixed(1)} ms`);
  } finally {
    await clickhouse.close();
  }
}

/** Attempts a step until it returns a result, and prints its duration. Throws after the limit. */
async function step<Result extends { readonly detail: string }>(
  title: string,
  attempt: () => Promise<Result | null>,
): Promise<Result> {
  const startedAt = performance.now();
  for (;;) {
    const result = await attempt();
    const elapsedMs = performance.now() - startedAt;
    if (result !== null) {
      console.log(`${elapsedMs.toFixed(1).padStart(7)} ms  ${title.padEnd(32)} ${result.detail}`);
      return result;
    }
    if (elapsedMs > STEP_LIMIT_MS) throw new Error(`not ${title} within ${STEP_LIMIT_MS / 1000} s`);
    await sleep(50);
  }
}
