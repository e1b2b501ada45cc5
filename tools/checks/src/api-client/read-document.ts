import { buildApp } from '@smartlink/management/app';
import { configSchema } from '@smartlink/management/config';
import { readConfig } from '@smartlink/process/config';
import { createLogger } from '@smartlink/process/logger';

/** What of an OpenAPI document the derived files are made of. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

export type DocumentedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: { readonly description?: string; readonly enum?: readonly string[] };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples: Examples }>> };
};

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

// Nothing listens there: the document is made of what routes say of themselves, and asks no database.
const NO_DATABASES = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  CLICKHOUSE_URL: 'http://nobody@127.0.0.1:1/none',
};
/** The host of short links in examples: no instance's own. */
const PUBLIC_BASE_URL = 'https://sl.example.com';

/** Returns the OpenAPI document as GET /api/v1/openapi.json serves it, as text to be kept. Throws when it is not served. */
export async function readDocument(): Promise<string> {
  const config = readConfig(configSchema, { ...NO_DATABASES, PUBLIC_BASE_URL });
  const app = await buildApp(config, createLogger({ service: 'docs', level: 'silent' }));
  try {
    const answer = await app.inject('/api/v1/openapi.json');
    if (answer.statusCode !== 200) throw new Error(`The document is answered with ${answer.statusCode}`);
    return `${JSON.stringify(answer.json<unknown>(), null, 2)}\n`;
  } finally {
    await app.close();
  }
}
