import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyAgent } from './classify.js';
import type { Platform } from './platform.js';

// User-Agents that people and programs have sent, with what a well-kept list of patterns says of them (the test cases
// of uap-core). They stand beside the project and are not part of it.
const DATA = join(import.meta.dirname, '../../../../shared/data/user-agents.tsv');
const SHARE_MIN = 0.99;

const KINDS = ['iPhones', 'iPads', 'Androids', 'Huawei', 'Fire', 'Windows', 'Mac'] as const;
type Kind = (typeof KINDS)[number];
type Row = { check: string; family: string; brand: string; userAgent: string };
type Place = { kind: Kind; right: Platform };

test.skipIf(!existsSync(DATA))(
  'of the collected User-Agents of people at least 99 % of each kind get the store that decisions.md gives them',
  () => {
    const tallies = new Map(KINDS.map((kind) => [kind, { rows: 0, wrong: [] as string[] }]));
    for (const row of collectedPeople()) {
      const place = placeOf(row);
      const tally = place === null ? undefined : tallies.get(place.kind);
      if (place === null || tally === undefined) continue;
      const { platform } = classifyAgent(row.userAgent);
      tally.rows += 1;
      if (platform !== place.right) tally.wrong.push(`${platform} for ${place.right}: ${row.userAgent}`);
    }
    const shares = [...tallies].map(([kind, { rows, wrong }]) => ({
      kind,
      rows,
      wrong,
      share: 1 - wrong.length / rows,
    }));
    for (const { kind, rows, wrong, share } of shares) {
      process.stdout.write(`${kind}: ${rows} rows, ${(100 * share).toFixed(2)} % routed right\n`);
      for (const line of wrong) process.stdout.write(`  ${line}\n`);
    }
    expect(shares.filter(({ rows, share }) => rows === 0 || share < SHARE_MIN)).toEqual([]);
  },
);

// The wrong store is worse than the fallback, which is never wrong.
test.skipIf(!existsSync(DATA))('no collected User-Agent of a system without a store gets one', () => {
  const strays = collectedPeople()
    .filter(({ check, family }) => check === 'os' && SYSTEMS_WITHOUT_STORE.has(family))
    .map(({ userAgent }) => `${classifyAgent(userAgent).platform}: ${userAgent}`)
    .filter((line) => !line.startsWith('other: '));
  expect(strays).toEqual([]);
});

if (!existsSync(DATA)) process.stdout.write(`collected User-Agents skipped: ${DATA} is not there\n`);

function collectedPeople(): Row[] {
  const lines = readFileSync(DATA, 'utf8').split('\n').slice(1);
  return lines
    .map((line) => {
      const [check = '', family = '', brand = '', userAgent = ''] = line.split('\t');
      return { check, family, brand, userAgent };
    })
    .filter(({ userAgent }) => !classifyAgent(userAgent).isBot);
}

/** Returns which kind a row belongs to and where it is routed right, null where its label and its text name none. */
function placeOf(row: Row): Place | null {
  // What Apple's network library says of itself is the same on a phone, a tablet and a watch: the fallback's.
  if (row.userAgent.includes(' CFNetwork/') && !/iPhone|iPad|x86_64|i386/.test(row.userAgent)) return null;
  if (row.check === 'os') return placeBySystem(row);
  if (row.check === 'device') return placeByBrand(row);
  return placeByText(row.userAgent);
}

function placeBySystem({ family, userAgent }: Row): Place | null {
  if (family === 'HarmonyOS') return { kind: 'Huawei', right: 'huawei' };
  if (family === 'Windows' || family === 'Windows Phone') return { kind: 'Windows', right: 'windows' };
  if (family === 'Mac OS X' || family === 'Mac OS') return { kind: 'Mac', right: 'mac' };
  if (family === 'iOS') return appleTablet(userAgent) ?? { kind: 'iPhones', right: 'iphone' };
  if (family !== 'Android') return null;
  return amazonDevice(userAgent) ?? { kind: 'Androids', right: 'android' };
}

function placeByBrand({ family, brand, userAgent }: Row): Place | null {
  if (brand === 'Apple') {
    if (family === 'iPhone' || family === 'iPod') return { kind: 'iPhones', right: 'iphone' };
    if (family === 'iPad') return { kind: 'iPads', right: 'ipad' };
    return family === 'Mac' ? { kind: 'Mac', right: 'mac' } : null;
  }
  if (brand === 'Amazon') return amazonDevice(userAgent);
  // Huawei's phones of old had systems of their own, or Windows; those with Android use Google Play.
  if (/^huawei$/i.test(brand)) return { kind: 'Huawei', right: placeByText(userAgent)?.right ?? 'other' };
  return placeByText(userAgent);
}

/** Returns the place of a row whose label names a browser or a model: what the text says of its system, in words. */
function placeByText(userAgent: string): Place | null {
  if (/HuaweiBrowser|HMSCore/.test(userAgent)) return { kind: 'Huawei', right: 'huawei' };
  if (/windows (?:phone|nt)/i.test(userAgent)) return { kind: 'Windows', right: 'windows' };
  const named = amazonDevice(userAgent) ?? appleTablet(userAgent);
  if (named !== null) return named;
  if (/iPhone|iPod/.test(userAgent)) return { kind: 'iPhones', right: 'iphone' };
  if (/android|\bAdr \d/i.test(userAgent)) return { kind: 'Androids', right: 'android' };
  return userAgent.includes('Macintosh') ? { kind: 'Mac', right: 'mac' } : null;
}

function appleTablet(userAgent: string): Place | null {
  return /iPad|Macintosh.*(?:CriOS|FxiOS|EdgiOS)/.test(userAgent) ? { kind: 'iPads', right: 'ipad' } : null;
}

function amazonDevice(userAgent: string): Place | null {
  return /Kindle Fire|; KF[A-Z]+ Build|Linux.*Silk\/|Macintosh.*Silk\//.test(userAgent)
    ? { kind: 'Fire', right: 'fire' }
    : null;
}

const SYSTEMS_WITHOUT_STORE: ReadonlySet<string> = new Set([
  'Linux',
  'Ubuntu',
  'Chrome OS',
  'Firefox OS',
  'KaiOS',
  'Tizen',
  'tvOS',
  'WatchOS',
  'Symbian OS',
  'webOS',
]);
