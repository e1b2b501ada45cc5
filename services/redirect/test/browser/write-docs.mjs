// `npm run docs:pages`: the test of all pages, which leaves its pictures in docs/pages.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

process.chdir(ROOT);
process.env.SCREENSHOTS = path.join(ROOT, 'docs/pages');
process.env.GALLERY = 'docs';
process.argv.splice(2, Infinity, 'run', '--project', 'integration', 'services/redirect/test/browser-pages');
await import(pathToFileURL(path.join(ROOT, 'node_modules/vitest/vitest.mjs')).href);
