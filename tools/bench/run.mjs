// `npm run bench -- [NAME] [arguments]`: runs one of the project's benches, the first when none is named. Each is a
// program of its own, compiled before this one starts (bootstrap.mjs), and prints its own help.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '../..');

const BENCHES = {
  management: 'services/management/bench/dist/management/main.js',
  analytics: 'services/management/bench/dist/analytics/main.js',
  blocklist: 'services/management/bench/dist/blocklist/main.js',
};

const [first, ...rest] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith('-');
const name = isNamed ? first : Object.keys(BENCHES)[0];

if (Object.hasOwn(BENCHES, name)) {
  const program = path.join(ROOT, BENCHES[name]);
  process.argv = [process.execPath, program, ...(isNamed ? rest : process.argv.slice(2))];
  await import(pathToFileURL(program).href);
} else {
  console.error(`There is no bench ${name}: ${Object.keys(BENCHES).join(', ')}.`);
  process.exitCode = 2;
}
