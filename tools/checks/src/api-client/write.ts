import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENT_FILE, deriveFiles } from './derived-files.js';
import { readDocument } from './read-document.js';

// `npm run docs:client`: writes the document, and what the tests beside hold equal to it.
const ROOT = path.resolve(import.meta.dirname, '../../../..');

writeFileSync(path.join(ROOT, DOCUMENT_FILE), await readDocument());
const kept = readFileSync(path.join(ROOT, DOCUMENT_FILE), 'utf8');
for (const [file, text] of await deriveFiles(kept)) writeFileSync(path.join(ROOT, file), text);
