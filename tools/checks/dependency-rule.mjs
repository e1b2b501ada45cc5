// Holds the imports of the project against .dependency-cruiser.cjs. A rule that has never been seen to catch anything
// proves nothing, so each is first shown an import that breaks it, in a small tree of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import settings from '../../.dependency-cruiser.cjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** For each rule, a file and what it imports: the import is wrong, and the rule must say so. */
const PLANTED = {
  'no-circular': ['libs/process/src/a.ts', './a.js'],
  'services-never-import-each-other': ['services/redirect/src/a.ts', '../../management/src/b.js'],
  'libs-import-libs-only': ['libs/links/src/a.ts', '../../../services/redirect/src/b.js'],
  'ground-libs-import-no-lib': ['libs/process/src/a.ts', '../../smartlink/src/b.js'],
  'the-client-stands-alone': ['clients/typescript/src/a.ts', 'node:fs'],
  'pure-rooms-do-no-io': ['libs/visits/src/routing/a.ts', 'node:fs'],
  'only-the-server-knows-uwebsockets': ['services/redirect/src/a.ts', 'uWebSockets.js'],
  'management-features-meet-at-the-front-file': [
    'services/management/src/analytics/a.ts',
    '../smartlinks/queries.js',
  ],
  'services-do-not-start-engines': ['services/redirect/src/a.ts', '../../../deploy/embedded/src/b.js'],
  'no-rooms-without-a-name': ['services/redirect/src/a.ts', './utils.js'],
  'sources-do-not-import-tests': ['services/redirect/src/a.ts', './b.test.js'],
  'only-tests-import-test-support': ['tools/admin/src/a.ts', '../../test-support/src/b.js'],
  'only-benches-import-bench': ['loadtest/src/a.ts', '../../tools/bench/src/b.js'],
  'every-import-resolves': ['services/redirect/src/a.ts', './nowhere.js'],
};

const missed = [];
for (const [rule, [file, specifier]] of Object.entries(PLANTED)) {
  if (!(await catchesPlantedImport(rule, file, specifier))) missed.push(rule);
}
if (missed.length > 0) {
  console.error(`These rules did not catch the import that was planted for them: ${missed.join(', ')}`);
  process.exit(1);
}
console.log(`${Object.keys(PLANTED).length} planted imports caught`);

const { output } = await run(ROOT, ['libs', 'services', 'clients', 'deploy', 'tools', 'loadtest/src']);
const { violations, totalCruised } = output.summary;
for (const violation of violations) {
  console.error(`${violation.rule.name}: ${violation.from} → ${violation.to}`);
}
console.log(`${totalCruised} modules, ${violations.length} violations`);
// A cruise that reads no TypeScript finds no violation either.
const readTypeScript = output.modules.some((module) => module.source === 'libs/smartlink/src/model.ts');
if (!readTypeScript)
  console.error('No TypeScript was read: is the TypeScript version one that dependency-cruiser knows?');
process.exit(violations.length > 0 || !readTypeScript ? 1 : 0);

async function catchesPlantedImport(rule, file, specifier) {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-rule-'));
  try {
    write(folder, file, `import '${specifier}';\n`);
    const isRelative = specifier.startsWith('.') && !specifier.endsWith('nowhere.js');
    if (isRelative) {
      const target = path.join(path.dirname(file), specifier.replace(/[.]js$/, '.ts'));
      if (target !== file) write(folder, target, 'export const planted = 1;\n');
    }
    const { output: planted } = await run(folder, [file]);
    return planted.summary.violations.some((violation) => violation.rule.name === rule);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder, file, content) {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), content);
}

async function run(baseDir, files) {
  const { forbidden, options } = settings;
  const tsConfig = path.join(ROOT, options.tsConfig.fileName);
  return cruise(
    files,
    { ...options, baseDir, ruleSet: { forbidden }, validate: true, tsConfig: { fileName: tsConfig } },
    options.enhancedResolveOptions,
    { tsConfig: extractTSConfig(tsConfig) },
  );
}
