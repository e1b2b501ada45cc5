import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENT_FILE, README_FILE, deriveFiles } from './derived-files.js';
import { readDocument } from './read-document.js';

// `npm run docs:client`: writes the document, and what is made of it and of the client's README.
const ROOT = path.resolve(import.meta.dirname, '../../../..');

writeFileSync(path.join(ROOT, DOCUMENT_FILE), await readDocument());
const [document = '', readme = ''] = [DOCUMENT_FILE, README_FILE].map((file) =>
  readFileSync(path.join(ROOT, file), 'utf8'),
);
for (const [file, text] of await deriveFiles(document, readme)) writeFileSync(path.join(ROOT, file), text);
