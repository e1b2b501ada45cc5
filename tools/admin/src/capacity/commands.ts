import { type Command, Option } from 'commander';
import { readCount } from '../cli/options.js';
import { formatTable } from '../cli/table.js';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples } from '../cli/text.js';
import { type Figure, FIGURES, FILLED, planCapacity, type PlanLine, type Question, scale } from './plan.js';

export function addCapacityCommand(program: Command, terminal: Terminal): void {
  program
    .command('capacity')
    .description('plan the machines for a number of visits and links, from measured figures')
    .addOption(number('--visits-per-second <n>', 'mean over a day', 0.001, 1e9))
    .addOption(whole('--links <n>', 'number of smartlinks', 1, 1e12))
    .addOption(
      whole('--retention-months <n>', 'whole months for which single visits are kept, 1 to 1200', 1, 1_200),
    )
    .addOption(number('--peak-factor <n>', 'the busiest minute, as a multiple of the mean', 1, 1_000, 3))
    .addOption(number('--outage-hours <n>', 'hours that ClickHouse may be unavailable', 0, 1_000, 4))
    .addOption(
      number('--from-memory <part>', 'part of the visits whose link is in memory, 0 to 1', 0, 1, 0.9),
    )
    .addOption(whole('--cores-per-host <n>', 'cores of a redirect host', 1, 256, 8))
    .addOption(whole('--clickhouse-replicas <n>', 'copies of every event', 1, 100, 2))
    .option('-j, --json', 'print {"question", "filled", "plan", "figures"}')
    .addHelpText(
      'after',
      `
It needs no database. All other figures were measured on two cores of the machine named on the pages in the last column.
docs/scale.md explains a plan.
${examples(EXAMPLE, `${EXAMPLE} --peak-factor 5`)}`,
    )
    .action(({ json, ...question }: Partial<Question> & { json?: true }) => {
      if (!isComplete(question)) {
        throw new Problem(
          `Give --visits-per-second, --links and --retention-months, as in: npm run --silent admin -- ${EXAMPLE}`,
        );
      }
      showCapacity(terminal, question, json);
    });
}

const EXAMPLE = 'capacity --visits-per-second 11600 --links 100000000 --retention-months 13';

/** An option that takes a number. */
function number(flags: string, help: string, min: number, max: number, standard?: number): Option {
  const option = new Option(flags, help).argParser((text) => {
    const value = /^\d{1,13}(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new Problem(`${option.long} ${JSON.stringify(text)}: expected a number from ${min} to ${max}.`);
  });
  return standard === undefined ? option : option.default(standard);
}

function whole(...args: Parameters<typeof number>): Option {
  const [flags, , min, max] = args;
  return number(...args).argParser((text) => readCount(flags.split(' ', 1).join(), text, min, max));
}

/** All other options have defaults. */
const isComplete = (question: Partial<Question>): question is Question =>
  [question.visitsPerSecond, question.links, question.retentionMonths].every((one) => one !== undefined);

function showCapacity(terminal: Terminal, question: Question, json: true | undefined): void {
  const plan = planCapacity(question);
  const used = Object.entries<Figure>(FIGURES);
  const numberOf = new Map(used.map(([name], index) => [name, `[${index + 1}]`]));
  const table = formatTable(
    terminal,
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
    json,
    { question, filled: FILLED, plan, figures: FIGURES },
    `${table}
${formatTable(terminal, ['', 'measured', 'what', 'where'], rows)}
Cores, memory and disks are planned ${FILLED * 100} % full at the peak. Try it before you trust it: npm run loadtest (docs/scale.md).\n`,
  );
}

function formatNeed({ value, unit }: PlanLine): string {
  if (unit === 'bytes') return scale(value, ['B', 'kB', 'MB', 'GB', 'TB']);
  if (unit === 'bytes/s') return `${Number(((value * 8) / 1e6).toPrecision(3))} Mbit/s`;
  if (unit === 'hours') return `${value.toFixed(1)} h`;
  return `${value.toLocaleString('en')} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}
