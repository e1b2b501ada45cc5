import { createClient } from '@clickhouse/client';
import { createSmartlinkClient } from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/data-folder';
import { runTrial, until, visit } from './run-trial.js';

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
  const total = startClock();
  try {
    const link = await step('created over the API', async () => {
      const { data } = await api.smartlinks.create({
        configuration: { smartlinkName: 'send-visit', smartlinkType: 'Url' },
        shortener: { url: 'https://example.org/send-visit' },
      });
      return [data, data.relink];
    });
    await step('visited', async () => {
      const { status, headers } = await visit(link.relink, BROWSER);
      if (status !== 302) throw new Error(`The visit was answered ${status}, not 302`);
      return [null, `302 to ${headers.get('location') ?? ''}`];
    });
    await step('stored in ClickHouse', async () => {
      const eventId = await until('The event in ClickHouse', STEP_LIMIT_MS, async () => {
        const rows = await clickhouse.query({
          query: 'select event_id from events final where smartlink_id = {id:UUID}',
          query_params: { id: link.id },
          format: 'JSONEachRow',
        });
        return (await rows.json<{ event_id: string }>())[0]?.event_id ?? null;
      });
      return [null, `event ${eventId}`];
    });
    await step('counted in analytics', async () => {
      const clicks = await until('The figure in analytics', STEP_LIMIT_MS, async () => {
        const { totalClicks } = (await api.analytics.get(link.id)).data;
        return totalClicks > 0 ? totalClicks : null;
      });
      if (clicks !== 1) throw new Error(`Analytics counts ${clicks} clicks, not 1`);
      return [null, '1 click'];
    });
    await step('deleted, 410 for visitors', async () => {
      await api.smartlinks.remove(link.id);
      const isGone = async () => ((await visit(link.relink, BROWSER)).status === 410 ? true : null);
      await until('The deletion', STEP_LIMIT_MS, isGone);
      return [null, '410'];
    });
    console.log(`One visit, counted once, in ${total()}`);
  } finally {
    await clickhouse.close();
  }
}

async function step<Result>(
  title: string,
  run: () => Promise<[result: Result, detail: string]>,
): Promise<Result> {
  const clock = startClock();
  const [result, detail] = await run();
  console.log(`${clock().padStart(10)}  ${title.padEnd(32)} ${detail}`);
  return result;
}

function startClock(): () => string {
  const startedAt = performance.now();
  return () => `${(performance.now() - startedAt).toFixed(1)} ms`;
}
