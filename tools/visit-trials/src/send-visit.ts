import { createClient } from '@clickhouse/client';
import { createSmartlinkClient } from '@smartlink/client';
import type { RunningStack } from '@smartlink/embedded/running-stack';
import { runTrial } from './run-trial.js';
import { until } from './until.js';

const HELP = `Sends one real visit through the running stack and follows it until it shows in analytics.

  npm run send-visit

It creates a link with the demo key, visits it as a browser does, waits for its row in ClickHouse, for its figure in
analytics, deletes the link, and sees it gone. Each step is printed with the time it took.
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
      const { data: created } = await api.smartlinks.create({
        configuration: { smartlinkName: 'send-visit', smartlinkType: 'Url' },
        shortener: { url: 'https://example.org/send-visit' },
      });
      return { result: created, detail: created.relink };
    });
    await step('visited', async () => {
      const response = await visit(link.relink);
      if (response.status !== 302) throw new Error(`The visit was answered ${response.status}, not 302`);
      return { result: null, detail: `302 to ${response.headers.get('location') ?? ''}` };
    });
    await step('its row is in ClickHouse', async () => {
      const eventId = await until('The row in ClickHouse', STEP_LIMIT_MS, async () => {
        const rows = await clickhouse.query({
          query: 'select event_id from events final where smartlink_id = {id:UUID}',
          query_params: { id: link.id },
          format: 'JSONEachRow',
        });
        return (await rows.json<{ event_id: string }>())[0]?.event_id ?? null;
      });
      return { result: null, detail: `event ${eventId}` };
    });
    await step('it shows in analytics', async () => {
      const analytics = await until('The figure in analytics', STEP_LIMIT_MS, async () => {
        const { data: answer } = await api.analytics.get(link.id);
        return answer.totalClicks > 0 ? answer : null;
      });
      if (analytics.totalClicks !== 1)
        throw new Error(`Analytics counts ${analytics.totalClicks} clicks, not 1`);
      return { result: null, detail: '1 click' };
    });
    await step('deleted, and gone for visitors', async () => {
      await api.smartlinks.remove(link.id);
      const status = await until('The deletion', STEP_LIMIT_MS, async () => {
        const response = await visit(link.relink);
        return response.status === 410 ? response.status : null;
      });
      return { result: null, detail: String(status) };
    });
    console.log(`One visit, counted once, in ${total()}`);
  } finally {
    await clickhouse.close();
  }
}

function visit(relink: string): Promise<Response> {
  return fetch(relink, {
    redirect: 'manual',
    headers: { 'user-agent': BROWSER },
    signal: AbortSignal.timeout(STEP_LIMIT_MS),
  });
}

async function step<Result>(
  title: string,
  run: () => Promise<{ result: Result; detail: string }>,
): Promise<Result> {
  const clock = startClock();
  const { result, detail } = await run();
  console.log(`${clock().padStart(10)}  ${title.padEnd(32)} ${detail}`);
  return result;
}

function startClock(): () => string {
  const startedAt = performance.now();
  return () => `${(performance.now() - startedAt).toFixed(1)} ms`;
}
