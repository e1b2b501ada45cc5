import { SingleBar } from 'cli-progress';
import { isSmartlinkError } from '@smartlink/client';
import type { Smartlink, SmartlinkClient } from '@smartlink/client';
import type { VisitPlan } from './real-visits.js';
import { until } from './until.js';

const PARALLEL = 8;
const VISIT_TIMEOUT_MS = 10_000;
/** Analytics is at most 5 s behind (reliability goals, E9); a loaded machine is given more before it counts as a fault. */
const COUNTED_LIMIT_MS = 30_000;

type Expected = { clicks: number; scans: number; excluded: number };

/**
 * Creates a link for each address, makes the planned visits and compares the figures of every link with what was
 * sent. Returns the differences, one line each; none means that every counted visit was counted exactly once.
 */
export async function sendRealVisits(api: SmartlinkClient, plan: VisitPlan): Promise<string[]> {
  const faults: string[] = [];
  const links = await createLinks(api, plan.addresses, faults);
  const expected = await makeVisits(links, plan, faults);
  const total = sum(expected.values());
  console.log(
    `${links.size} links of ${plan.addresses.length} addresses; ${total.clicks} clicks, ${total.scans} scans, ` +
      `${total.excluded} visits by bots; ${plan.unsendable} User-Agents cannot be sent as a header`,
  );
  await compareCounted(api, links, expected, faults);
  await compareExcluded(api, links, expected, faults);
  return faults;
}

async function createLinks(
  api: SmartlinkClient,
  addresses: readonly string[],
  faults: string[],
): Promise<Map<number, Smartlink>> {
  const links = new Map<number, Smartlink>();
  await inParallel('Creating links', addresses, async (address, index) => {
    try {
      const created = await api.smartlinks.create({
        configuration: { smartlinkName: `Address ${index + 1}`, smartlinkType: 'Url' },
        shortener: { url: address },
      });
      links.set(index, created.data);
    } catch (err) {
      if (!isSmartlinkError(err) || err.kind !== 'api') throw err;
      faults.push(`${address} was refused: ${err.message}`);
    }
  });
  return links;
}

async function makeVisits(
  links: ReadonlyMap<number, Smartlink>,
  plan: VisitPlan,
  faults: string[],
): Promise<Map<number, Expected>> {
  const expected = new Map<number, Expected>();
  for (const index of links.keys()) expected.set(index, { clicks: 0, scans: 0, excluded: 0 });
  await inParallel('Visiting', plan.visits, async (visit) => {
    const link = links.get(visit.address);
    const figures = expected.get(visit.address);
    if (!link || !figures) return;
    const { relink, configuration } = link;
    const address =
      visit.source === 'scan' ? relink.replace(/\/[^/]+$/, `/q/${configuration.smartlinkUrl}`) : relink;
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { 'user-agent': visit.userAgent },
      signal: AbortSignal.timeout(VISIT_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.status !== 302) {
      faults.push(`${address} was answered ${response.status}`);
      return;
    }
    if (!visit.isCounted) figures.excluded += 1;
    else if (visit.source === 'scan') figures.scans += 1;
    else figures.clicks += 1;
  });
  return expected;
}

/** Waits until the list's totals are those expected, link by link, and stay so. */
async function compareCounted(
  api: SmartlinkClient,
  links: ReadonlyMap<number, Smartlink>,
  expected: ReadonlyMap<number, Expected>,
  faults: string[],
): Promise<void> {
  const differences = async (): Promise<string[]> => {
    const found = new Map((await api.smartlinks.list()).data.map((link) => [link.id, link.analytics]));
    return [...links].flatMap(([index, link]) => {
      const figures = expected.get(index);
      const counted = found.get(link.id);
      const isRight =
        figures && counted?.totalClicks === figures.clicks && counted.totalQrCodeScans === figures.scans;
      return isRight
        ? []
        : [`${link.relink}: sent ${JSON.stringify(figures)}, counted ${JSON.stringify(counted)}`];
    });
  };
  const startedAt = performance.now();
  let last: string[] = [];
  await until('The figures', COUNTED_LIMIT_MS, async () => {
    last = await differences();
    return last.length === 0 ? true : null;
  }).catch(() => null);
  if (last.length === 0) {
    console.log(
      `Analytics agreed ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the last visit`,
    );
  }
  faults.push(...last);
}

/** Compares the tally of bots on the links that bots visited. */
async function compareExcluded(
  api: SmartlinkClient,
  links: ReadonlyMap<number, Smartlink>,
  expected: ReadonlyMap<number, Expected>,
  faults: string[],
): Promise<void> {
  const visitedByBots = [...links].filter(([index]) => (expected.get(index)?.excluded ?? 0) > 0);
  await inParallel('Comparing bots', visitedByBots, async ([index, link]) => {
    const sent = expected.get(index)?.excluded ?? 0;
    const tallied = (await api.analytics.get(link.id)).data.excluded['bot'] ?? 0;
    if (tallied !== sent) faults.push(`${link.relink}: ${sent} visits by bots sent, ${tallied} tallied`);
  });
}

function sum(figures: Iterable<Expected>): Expected {
  const total = { clicks: 0, scans: 0, excluded: 0 };
  for (const { clicks, scans, excluded } of figures) {
    total.clicks += clicks;
    total.scans += scans;
    total.excluded += excluded;
  }
  return total;
}

async function inParallel<Item>(
  title: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const bar = new SingleBar({
    format: `${title.padEnd(15)} {bar} {value}/{total}  {duration_formatted}`,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
  bar.start(items.length, 0);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      await work(items[index] as Item, index);
      bar.increment();
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  } finally {
    bar.stop();
  }
}
