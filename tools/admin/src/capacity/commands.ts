import type { Command } from 'commander';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTable } from '../cli/text.js';
import { type Figure, FIGURES, FILLED, planCapacity, type PlanLine, type Question } from './plan.js';

export function addCapacityCommand(program: Command, terminal: Terminal): void {
  program
    .command('capacity')
    .description('plan the machines for a number of visits and links, from measured figures')
    .requiredOption('--visits-per-second <n>', 'mean over a day')
    .requiredOption('--links <n>', 'smartlinks in all')
    .requiredOption('--retention-months <n>', 'whole months for which single visits are kept, 1 to 1200')
    .option('--peak-factor <n>', 'the busiest minute, as a multiple of the mean', '3')
    .option('--outage-hours <n>', 'hours that ClickHouse may be unavailable', '4')
    .option('--from-memory <part>', 'part of the visits whose link is in memory, 0 to 1', '0.9')
    .option('--cores-per-host <n>', 'cores of a redirect host', '8')
    .option('--clickhouse-replicas <n>', 'copies of every event', '2')
    .option('--json', 'print {"question", "filled", "plan", "figures"}')
    .addHelpText(
      'after',
      `
It needs no database. All other figures were measured, on two cores of a machine that is named on the pages of the last column.
docs/scale.md explains a plan.
${examples('capacity --visits-per-second 11600 --peak-factor 3 --links 100000000 --retention-months 13')}`,
    )
    .action((options: Options) => {
      showCapacity(terminal, options);
    });
}

type Options = Record<keyof Question, string> & { json?: true };

function showCapacity(terminal: Terminal, options: Options): void {
  const question = readQuestion(options);
  const plan = planCapacity(question);
  const used = Object.entries<Figure>(FIGURES);
  const numberOf = new Map(used.map(([name], index) => [name, `[${index + 1}]`]));
  const table = formatTable(
    ['part', 'what', 'needs', 'because', 'measured'],
    plan.map((line) => [
      line.part,
      line.what,
      formatNeed(line),
      line.because,
      line.figures.map((name) => numberOf.get(name) ?? '').join(' '),
    ]),
  );
  const rows = used.map(([name, figure]) => [
    numberOf.get(name) ?? '',
    `${figure.value.toLocaleString('en')} ${figure.unit}`,
    figure.says,
    figure.page,
  ]);
  print(
    terminal,
    options.json,
    { question, filled: FILLED, plan, figures: FIGURES },
    `${table}
${formatTable(['', 'measured', 'what', 'where'], rows)}
Cores, memory and disks are planned ${FILLED * 100} % full at the peak. Try it before you trust it: npm run loadtest (docs/scale.md).\n`,
  );
}

function formatNeed({ value, unit }: PlanLine): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'bytes/s') return `${Number(((value * 8) / 1e6).toPrecision(3))} Mbit/s`;
  if (unit === 'hours') return `${value.toFixed(1)} h`;
  return `${value.toLocaleString('en')} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}

const SIZES = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

function formatBytes(bytes: number): string {
  const [size, name] = SIZES.find(([least]) => bytes >= least) ?? SIZES[3];
  return `${Number((bytes / size).toPrecision(3))} ${name}`;
}

function readQuestion(options: Options): Question {
  return {
    visitsPerSecond: readNumber('--visits-per-second', options.visitsPerSecond, 0.001, 1e9),
    peakFactor: readNumber('--peak-factor', options.peakFactor, 1, 1_000),
    links: readWhole('--links', options.links, 1, 1e12),
    retentionMonths: readWhole('--retention-months', options.retentionMonths, 1, 1_200),
    outageHours: readNumber('--outage-hours', options.outageHours, 0, 1_000),
    fromMemory: readNumber('--from-memory', options.fromMemory, 0, 1),
    coresPerHost: readWhole('--cores-per-host', options.coresPerHost, 1, 256),
    clickhouseReplicas: readWhole('--clickhouse-replicas', options.clickhouseReplicas, 1, 100),
  };
}

function readNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,13}(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new Problem(`${name} ${JSON.stringify(text)}: expected a number from ${min} to ${max}.`);
}

function readWhole(name: string, text: string, min: number, max: number): number {
  const value = readNumber(name, text, min, max);
  if (Number.isInteger(value)) return value;
  throw new Problem(`${name} ${JSON.stringify(text)}: expected a whole number.`);
}
