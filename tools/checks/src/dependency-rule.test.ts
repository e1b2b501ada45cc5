import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const CONFIG = path.join(ROOT, '.dependency-cruiser.cjs');

/** For each rule a folder and an import that is wrong there. */
const PLANTED = Object.entries({
  'no-circular': ['libs/process/src', './no-circular.js'],
  'services-never-import-each-other': ['services/redirect/src', '../../management/src/b.js'],
  'libs-import-libs-only': ['libs/links/src', '../../../services/redirect/src/b.js'],
  'ground-libs-import-no-lib': ['libs/process/src', '../../smartlink/src/b.js'],
  'the-client-stands-alone': ['clients/typescript/src', 'node:fs'],
  'the-dashboard-knows-the-client-alone': ['dashboard/src/app', '../../../libs/links/src/b.js'],
  'nothing-imports-the-dashboard': ['services/management/src/dashboard', '../../../../dashboard/src/b.js'],
  'pure-rooms-do-no-io': ['libs/visits/src/routing', 'node:fs'],
  'only-the-server-knows-uwebsockets': ['services/redirect/src', 'uWebSockets.js'],
  'management-features-meet-at-the-front-file': [
    'services/management/src/analytics',
    '../smartlinks/queries.js',
  ],
  'services-do-not-start-engines': ['services/redirect/src', '../../../deploy/embedded/src/b.js'],
  'no-rooms-without-a-name': ['services/redirect/src', './utils.js'],
  'sources-do-not-import-tests': ['services/redirect/src', './b.test.js'],
  'only-tests-import-test-support': ['tools/admin/src', '../../test-support/src/b.js'],
  'only-benches-import-bench': ['loadtest/src', '../../tools/bench/src/b.js'],
  'packages-are-declared': ['tools/admin/src', 'undeclared'],
  'every-import-resolves': ['services/redirect/src', './nowhere.js'],
} satisfies Record<string, [folder: string, specifier: string]>).map(([rule, [folder, specifier]]) => ({
  ...{ rule, folder, specifier },
  file: `${folder}/${rule}.ts`,
}));

const tree = mkdtempSync(path.join(tmpdir(), 'smartlink-rule-'));
afterAll(() => {
  rmSync(tree, { recursive: true });
});

function write(file: string, content: string): void {
  mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(tree, file), content);
}

test('each rule catches an import that breaks it', () => {
  copyFileSync(path.join(ROOT, 'tsconfig.base.json'), path.join(tree, 'tsconfig.base.json'));
  write('package.json', '{}');
  write('node_modules/undeclared/package.json', '{ "name": "undeclared", "main": "index.js" }');
  write('node_modules/undeclared/index.js', '');
  for (const { rule, folder, specifier } of PLANTED) {
    const target = path.join(folder, specifier.replace(/[.]js$/, '.ts'));
    if (specifier.startsWith('.') && rule !== 'every-import-resolves') write(target, 'export {};\n');
  }
  for (const { file, specifier } of PLANTED) write(file, `import '${specifier}';\n`);
  const argv = [PROGRAM, '--config', CONFIG, '--output-type', 'json', ...PLANTED.map(({ file }) => file)];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: tree, encoding: 'utf8' });
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  const isCaught = ({ rule, file }: { rule: string; file: string }) =>
    summary.violations.some(({ rule: { name }, from }) => name === rule && from === file);
  expect(PLANTED.filter((each) => !isCaught(each)).map(({ rule }) => rule)).toEqual([]);
});

test('every rule has a planted import', () => {
  const { forbidden } = createRequire(import.meta.url)(CONFIG) as { forbidden: { name: string }[] };
  expect(PLANTED.map(({ rule }) => rule).toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
});
