import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  COMMON_ARGS,
  COMMON_HELP,
  ROUNDS_DEFAULT,
  pageFolderOf,
  readCommon,
  readValues,
} from '@smartlink/bench/bench-options';
import type { Problem } from '@smartlink/bench/bench-options';
import { runProgram } from '@smartlink/bench/bench-program';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { describeCores, describeMachine, shareCores } from '@smartlink/bench/machine';
import type { Cores } from '@smartlink/bench/machine';
import { openSavedParts } from '@smartlink/bench/saved-parts';
import type { SavedParts } from '@smartlink/bench/saved-parts';
import { renderMarkdown, renderText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import { writePage } from '@smartlink/bench/write-page';
import type { Plots } from '@smartlink/bench/write-page';
import { missingProgram } from '@smartlink/bench/wrk';

/** How much a run does, with the common part: rounds of turns, and seconds of load in each. */
export type Sized<Sizes extends object> = Sizes & { readonly rounds: number; readonly seconds: number };

/** What a benchmark works on while it runs. */
export type StackRun<Sizes extends object> = {
  readonly stack: BenchStack;
  readonly cores: Cores;
  readonly sizes: Sized<Sizes>;
  readonly saved: SavedParts;
  /** Given by --full. */
  readonly isFull: boolean;
  /** PATH: where programs are looked for. */
  readonly searchPath: string | undefined;
  readonly signal: AbortSignal;
};

/** A part of a page, with what is shown in the terminal too. */
export type Section = {
  readonly title: string;
  /** Markdown before the table; plots by `![…](….svg)`. */
  readonly text: string;
  readonly table: Table;
  /** Markdown behind it. */
  readonly below?: string;
};

export type StackBench<Sizes extends object, Found> = {
  /** Of the page too: `<name>.md`. */
  readonly name: string;
  readonly title: string;
  /** Without the options that all benchmarks have. */
  readonly help: string;
  readonly whole: Sizes;
  readonly smoke: Sizes;
  readonly secondsDefault: number;
  /** Help for --full; absent: there is no such option. */
  readonly fullHelp?: string;
  /** Programs that it cannot do without, and their Debian packages. */
  readonly needs: readonly (readonly [program: string, debianPackage: string])[];
  /** Whether it reads what processes do from /proc. */
  readonly isLinuxOnly: boolean;
  /** Whether the server under load has a core for itself; where not, everything runs where the system puts it. */
  readonly isPinned: boolean;
  readonly measure: (run: StackRun<Sizes>) => Promise<Found>;
  readonly present: (found: Found, sizes: Sized<Sizes>) => { sections: readonly Section[]; plots: Plots };
};

type Options<Sizes extends object> = {
  readonly sizes: Sized<Sizes>;
  readonly isFull: boolean;
  readonly resumes: boolean;
  readonly pageFolder: string | null;
};

/**
 * Runs a benchmark on engines of its own with the arguments of this process, prints what it found, and writes its page
 * after a whole run. What it needs and is not installed makes it say so and end.
 */
export async function runStackBench<Sizes extends object, Found>(
  bench: StackBench<Sizes, Found>,
  { searchPath, print }: { searchPath: string | undefined; print: (line: string) => void },
): Promise<void> {
  const { fullHelp } = bench;
  const own = fullHelp === undefined ? '' : `  --full       ${fullHelp}\n`;
  await runProgram({
    help: `${bench.help}\n\n${own}${COMMON_HELP}`,
    readOptions: (args) => readOptions(bench, args),
    run: (options, signal) => run(bench, options, { searchPath, print, signal }),
  });
}

function readOptions<Sizes extends object>(
  bench: Omit<StackBench<Sizes, never>, 'measure' | 'present'>,
  args: readonly string[],
): Options<Sizes> | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({ args: [...args], options: { ...COMMON_ARGS, full: { type: 'boolean', default: false } } }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  if (values.full && bench.fullHelp === undefined) return { problem: 'There is no --full here.' };
  const common = readCommon(values);
  if ('problem' in common) return common;
  // wrk takes whole seconds.
  const seconds = Math.max(1, Math.round(common.seconds ?? bench.secondsDefault));
  return {
    sizes: common.isSmoke
      ? { ...bench.smoke, rounds: 1, seconds: 1 }
      : { ...bench.whole, rounds: common.rounds ?? ROUNDS_DEFAULT, seconds },
    isFull: values.full,
    resumes: common.resumes,
    pageFolder: pageFolderOf(common, { isWhole: true, seconds: bench.secondsDefault }),
  };
}

async function run<Sizes extends object, Found>(
  bench: StackBench<Sizes, Found>,
  { sizes, isFull, resumes, pageFolder }: Options<Sizes>,
  {
    searchPath,
    print,
    signal,
  }: { searchPath: string | undefined; print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const missing = missingHere(bench);
  if (missing !== null) {
    print(`Skipped: ${missing}`);
    return;
  }
  const machine = describeMachine();
  const cores = bench.isPinned ? shareCores() : { server: null, others: null };
  const places = bench.isPinned ? describeCores(cores) : 'Nothing is pinned.';
  print(`${bench.title}.\n${machine}\n${places}\n`);
  const saved = openSavedParts(bench.name, { ...sizes, isFull }, { resumes });
  const stack = await openBenchStack({ report: () => undefined, signal });
  let found: Found;
  try {
    found = await bench.measure({ stack, cores, sizes, saved, isFull, searchPath, signal });
  } finally {
    await stack.close();
  }
  saved.clear();
  const { sections, plots } = bench.present(found, sizes);
  for (const { title, table } of sections) print(`\n${title}\n${renderText(table)}`);
  if (pageFolder === null) return;
  const page = path.join(pageFolder, `${bench.name}.md`);
  const facts = `${machine} ${places} The figures belong to this machine; what carries over is the ratios.`;
  await writePage(page, renderPage(bench, facts, sections), plots);
  print(`\nWritten to ${path.relative(process.cwd(), page)}`);
}

/** Returns why the benchmark cannot run on this machine; null when it can. */
function missingHere({
  needs,
  isLinuxOnly,
}: Pick<StackBench<never, never>, 'needs' | 'isLinuxOnly'>): string | null {
  if (isLinuxOnly && process.platform !== 'linux') return 'it runs on Linux only';
  return needs.map(([program, debian]) => missingProgram(program, debian)).find(Boolean) ?? null;
}

function renderPage(
  { title, name }: Pick<StackBench<never, never>, 'title' | 'name'>,
  facts: string,
  sections: readonly Section[],
): string {
  const date = new Date().toISOString().slice(0, 10);
  const written = sections.map(
    (section) =>
      `## ${section.title}\n\n${section.text}\n\n${renderMarkdown(section.table)}\n\n${section.below ?? ''}`,
  );
  return `# ${title}\n\nWritten by \`npm run bench -- ${name}\` on ${date}: do not edit.\n\n${facts}\n\n${written.join('\n\n')}\n`;
}
