import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseFigures } from './figures.js';
import { countTrials, findTrials } from './find-trials.js';
import { findStrangers, isFailure, judge } from './judge.js';
import { PROMISES } from './promises.js';
import { renderLines } from './render.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

// `npm test` calls it with the file of figures that its integration tests have left. Tests that failed are told there.
const [file = ''] = process.argv.slice(2);
const figures = existsSync(file) ? parseFigures(readFileSync(file, 'utf8')) : [];
const judged = judge(PROMISES, figures, { failed: new Set(), trials: countTrials(findTrials(ROOT)) });
const strangers = findStrangers(PROMISES, figures);

console.log(renderLines(judged));
for (const id of strangers) console.error(`A figure names a promise that there is not: ${id}`);
const count = (verdict: string) => judged.filter((one) => one.verdict === verdict).length;
console.log(
  `${judged.length} promises: ${count('held')} held, ${count('not held')} with a time that this machine missed, ` +
    `${count('skipped')} skipped, ${count('incomplete')} incomplete, ${count('no figure')} without a figure`,
);
process.exitCode = isFailure(judged) || strangers.length > 0 ? 1 : 0;
