// Builds the dashboard into `dist` when its sources have changed since the last build, and compresses the files. Without
// packages of its own beside Vite, as bootstrap.mjs runs it before anything else is built.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const FOLDER = import.meta.dirname;
const ROOT = path.dirname(FOLDER);
const DIST = path.join(FOLDER, 'dist');
const STAMP = path.join(DIST, '.built-from');

// Everything that the build reads; packages by their lock file.
const SOURCES = [
  'dashboard/src',
  'dashboard/index.html',
  'dashboard/vite.config.ts',
  'dashboard/world-map.mjs',
  'dashboard/build.mjs',
  'dashboard/package.json',
  'clients/typescript/src',
  'libs/pages/src/theme',
  'package-lock.json',
];

const wanted = hashSources();
// Tests set another one, with which Vite would take the development builds of packages.
process.env.NODE_ENV = 'production';
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
  rmSync(STAMP, { force: true });
  const { build } = await import('vite');
  await build({ configFile: path.join(FOLDER, 'vite.config.ts'), logLevel: 'warn' });
  await Promise.all(filesOf(DIST).map(compress));
  writeFileSync(STAMP, wanted);
}

function hashSources() {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    const file = path.join(ROOT, source);
    for (const each of path.extname(source) === '' ? filesOf(file) : [file]) {
      if (/\.test\.tsx?$/.test(each)) continue;
      hash.update(`${path.relative(ROOT, each)}\0`).update(readFileSync(each));
    }
  }
  return hash.digest('hex');
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

async function compress(file) {
  if (!/\.(js|css|html|svg|json)$/.test(file)) return;
  const bytes = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}
