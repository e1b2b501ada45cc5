// Checks the imports of the project against .dependency-cruiser.cjs. A rule that catches nothing proves nothing, so each must
// first catch a wrong import in a temporary tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import settings from '../../.dependency-cruiser.cjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** For each rule a folder and an import that is wrong there. */
const PLANTED = {
  'no-circular': ['libs/process/src', './no-circular.js'],
  'services-never-import-each-other': ['services/redirect/src', '../../management/src/b.js'],
  'libs-import-libs-only': ['libs/links/src', '../../../services/redirect/src/b.js'],
  'ground-libs-import-no-lib': ['libs/process/src', '../../smartlink/src/b.js'],
  'the-client-stands-alone': ['clients/typescript/src', 'node:fs'],
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
  'every-import-resolves': ['services/redirect/src', './nowhere.js'],
};

const missed = await findMissedImports();
if (missed.length > 0) {
  console.error(`These rules did not catch their planted import: ${missed.join(', ')}`);
  process.exit(1);
}
console.log(`${Object.keys(PLANTED).length} planted imports caught`);

const projects = ['libs', 'services', 'clients', 'deploy', 'tools', 'loadtest/src'];
const { modules, summary } = await cruiseTree(ROOT, projects);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(`${summary.totalCruised} modules, ${summary.violations.length} violations`);
// Without TypeScript sources there are no violations either.
const readTypeScript = modules.some((module) => module.source === 'libs/smartlink/src/model.ts');
if (!readTypeScript) console.error('No TypeScript was read: does dependency-cruiser support this version?');
process.exit(summary.violations.length > 0 || !readTypeScript ? 1 : 0);

async function findMissedImports() {
  const root = mkdtempSync(path.join(tmpdir(), 'smartlink-rule-'));
  const write = (file, content) => {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  };
  try {
    const planted = Object.entries(PLANTED).map(([rule, [folder, specifier]]) => {
      const target = path.join(folder, specifier.replace(/[.]js$/, '.ts'));
      if (specifier.startsWith('.') && rule !== 'every-import-resolves') write(target, 'export {};\n');
      return { rule, file: `${folder}/${rule}.ts`, specifier };
    });
    for (const { file, specifier } of planted) write(file, `import '${specifier}';\n`);
    const { violations } = (
      await cruiseTree(
        root,
        planted.map(({ file }) => file),
      )
    ).summary;
    const isCaught = ({ rule, file }) =>
      violations.some((violation) => violation.rule.name === rule && violation.from === file);
    return planted.filter((each) => !isCaught(each)).map(({ rule }) => rule);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function cruiseTree(baseDir, files) {
  const { forbidden, options } = settings;
  const tsConfig = path.join(ROOT, options.tsConfig.fileName);
  const { output } = await cruise(
    files,
    { ...options, baseDir, ruleSet: { forbidden }, validate: true, tsConfig: { fileName: tsConfig } },
    options.enhancedResolveOptions,
    { tsConfig: extractTSConfig(tsConfig) },
  );
  return output;
}
