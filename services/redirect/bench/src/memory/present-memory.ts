import { renderBars, renderLines } from '@smartlink/bench/plot';
import { times } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { Section } from '../stack-bench.js';
import type { MemoryFindings, MemoryKind, MemorySample } from './measure-memory.js';

const TITLES: Readonly<Record<MemoryKind, string>> = {
  url: 'Url link',
  app: 'App link, three stores and a fallback',
  page: 'page link, 10 kB of HTML',
};

const shortTitle = (kind: MemoryKind): string => TITLES[kind].split(',')[0] ?? '';

const KINDS: readonly MemoryKind[] = ['url', 'app', 'page'];

/** Returns what the page of a run says. */
export function presentMemory(found: MemoryFindings): {
  sections: readonly Section[];
  plots: Readonly<Record<string, string>>;
} {
  return {
    sections: [
      {
        title: 'Bytes a link',
        text: `A worker that has room for all of them is asked for ever more links, each once; after each step its garbage is collected and it is weighed. \`used\` is its heap with what belongs to it outside, RSS what the system counts, both less what the worker held with 500 links. \`reckoned\` is what the cache itself says (\`cache_bytes\`), by which \`L1_BYTES_MAX\` is kept: where the ratio is above 1, the limit lets that much more in. Targets have 60 to 120 characters. RSS has the remains of what was needed to fetch the links too, which is used again: of few links it says little.

![Memory a link](memory-ratio.svg)

![Memory of Url links](memory-url.svg)`,
        table: memoryTable(found),
        below: verdict(found),
      },
    ],
    plots: {
      'memory-ratio': renderBars({
        title: 'Memory of a link beside what the cache reckons',
        unit: 'used and resident bytes as a ratio to cache_bytes, at the largest number of links',
        bars: KINDS.flatMap((kind) => {
          const last = figures(found[kind]).at(-1);
          return last === undefined
            ? []
            : [
                {
                  label: `${shortTitle(kind)}: used`,
                  value: alone(last.used / last.reckoned),
                  isOurs: true,
                },
                {
                  label: `${shortTitle(kind)}: resident`,
                  value: alone(Math.max(0, last.rss / last.reckoned)),
                },
              ];
        }),
        mark: { value: 1, label: 'as reckoned' },
        write: times,
      }),
      'memory-url': urlPlot(found.url),
    },
  };
}

const alone = (value: number) => ({ median: value, least: value, most: value });

/** Returns bytes a link beyond the first sample. */
function figures([base, ...samples]: readonly MemorySample[]) {
  return samples.map((sample) => {
    const more = sample.links - (base?.links ?? 0);
    const per = (of: 'usedBytes' | 'rssBytes' | 'reckonedBytes') => (sample[of] - (base?.[of] ?? 0)) / more;
    return {
      links: sample.links,
      used: per('usedBytes'),
      rss: per('rssBytes'),
      reckoned: per('reckonedBytes'),
    };
  });
}

function memoryTable(found: MemoryFindings): Table {
  return {
    head: ['kind', 'links', 'reckoned', 'used', '× reckoned', 'RSS', '× reckoned'],
    rows: KINDS.flatMap((kind) =>
      figures(found[kind]).map(({ links, used, rss, reckoned }) => [
        TITLES[kind],
        links.toLocaleString('en'),
        bytes(reckoned),
        bytes(used),
        times(used / reckoned),
        ...(rss > 0 ? [bytes(rss), times(rss / reckoned)] : ['none', '–']),
      ]),
    ),
  };
}

const bytes = (value: number): string => `${Math.round(value).toLocaleString('en')} B`;

// What a limit may be wrong by before somebody who trusts it runs out of memory: caches are given half of it at most.
const RATIO_MAX = 1.5;

function verdict(found: MemoryFindings): string {
  return KINDS.map((kind) => {
    const last = figures(found[kind]).at(-1);
    if (last === undefined) return '';
    const ratio = last.used / last.reckoned;
    return `- ${ratio <= RATIO_MAX ? '✓' : '✗'} ${TITLES[kind]}: a million of them take ${gigabytes(last.used)}, and the cache reckons ${gigabytes(last.reckoned)} (${times(ratio)}, at most ${times(RATIO_MAX)})`;
  }).join('\n');
}

/** Of a million. */
const gigabytes = (each: number): string => `${((each * 1e6) / 1e9).toFixed(2)} GB`;

function urlPlot(samples: readonly MemorySample[]): string {
  const line = (label: string, of: 'rssBytes' | 'usedBytes' | 'reckonedBytes') => ({
    label,
    points: samples.map((sample) => ({ x: sample.links, y: sample[of] / 2 ** 20 })),
  });
  return renderLines({
    title: 'Memory of a worker over Url links in its cache',
    xLabel: 'links',
    yLabel: 'MiB',
    lines: [
      line('RSS', 'rssBytes'),
      line('used', 'usedBytes'),
      line('reckoned by the cache', 'reckonedBytes'),
    ],
    write: (value) => Math.round(value).toLocaleString('en'),
    writeX: (links) => (links < 1_000 ? '' : links.toLocaleString('en')),
  });
}
