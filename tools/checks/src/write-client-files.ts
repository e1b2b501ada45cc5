import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildApp } from '@smartlink/management/app';
import { configSchema } from '@smartlink/management/config';
import { readConfig } from '@smartlink/process/config';
import { createLogger } from '@smartlink/process/lifecycle';
import { DOCUMENT_FILE, README_FILE, deriveFiles } from './client-files.js';

// `npm run docs:client`: writes the OpenAPI document and the files generated from it and from the client's README.
const ROOT = path.resolve(import.meta.dirname, '../../..');

// Nothing listens there: building the document uses no database.
const NO_DATABASES = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  CLICKHOUSE_URL: 'http://nobody@127.0.0.1:1/none',
};
const PUBLIC_BASE_URL = 'https://sl.example.com';

/** The document as GET /api/v1/openapi.json serves it. */
async function readDocument(): Promise<string> {
  const config = readConfig(configSchema, { ...NO_DATABASES, PUBLIC_BASE_URL });
  const app = await buildApp(config, createLogger({ service: 'docs', level: 'silent' }));
  try {
    const answer = await app.inject('/api/v1/openapi.json');
    if (answer.statusCode !== 200)
      throw new Error(`GET /api/v1/openapi.json was answered ${answer.statusCode}`);
    return `${JSON.stringify(answer.json<unknown>(), null, 2)}\n`;
  } finally {
    await app.close();
  }
}

const document = await readDocument();
writeFileSync(path.join(ROOT, DOCUMENT_FILE), document);
const readme = readFileSync(path.join(ROOT, README_FILE), 'utf8');
for (const [file, text] of await deriveFiles(document, readme)) writeFileSync(path.join(ROOT, file), text);
