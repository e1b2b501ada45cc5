import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '../../..');

// Postman Collection Format 2.1.0, as far as the generator uses it.
const described = { description: z.string().optional(), disabled: z.boolean().optional() };
const pair = z.strictObject({ key: z.string().min(1), value: z.string(), ...described });
const script = z.strictObject({ type: z.literal('text/javascript'), exec: z.array(z.string()) });
const json = z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) });
const itemSchema = z.strictObject({
  name: z.string().min(1),
  event: z.array(z.strictObject({ listen: z.enum(['test', 'prerequest']), script })).default([]),
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    description: z.string().min(1),
    auth: z.strictObject({ type: z.literal('noauth') }).optional(),
    header: z.array(pair),
    url: z.strictObject({
      raw: z.string().startsWith('{{baseUrl}}/api/v1/'),
      host: z.tuple([z.literal('{{baseUrl}}')]),
      path: z.array(z.string().min(1)),
      query: z.array(pair).optional(),
    }),
    body: z.strictObject({ mode: z.literal('raw'), raw: z.string(), options: json }).optional(),
  }),
  response: z.tuple([]),
});
const folderOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({ name: z.string(), description: z.string().optional(), item: z.array(schema).min(1) });
const token = { key: z.literal('token'), value: z.literal('{{apiKey}}'), type: z.literal('string') };
const collectionSchema = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  auth: z.strictObject({ type: z.literal('bearer'), bearer: z.tuple([z.strictObject(token)]) }),
  variable: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  item: z.array(folderOf(z.union([itemSchema, folderOf(itemSchema)]))),
});

type Item = z.infer<typeof itemSchema>;

/**
 * A runner of the Postman collection. Each run sends every request in order, with its scripts and the variables that
 * earlier runs left, and resolves to the answers. `values` replaces variables; webhooks are sent to `webhookOrigin`.
 */
export async function openCollection(values: Readonly<Record<string, string>>, webhookOrigin: string) {
  const collection = collectionSchema.parse(
    await readJson('clients/postman/smartlink.postman_collection.json'),
  );
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  const valueOf = (name: string): string => {
    const value = values[name] ?? variables.get(name);
    if (value === undefined) throw new Error(`The collection has no variable ${name}`);
    return value;
  };
  const fill = (template: string) =>
    template
      .replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => valueOf(name))
      .replaceAll('https://hooks.example.org', webhookOrigin);

  async function send({ name, event, request }: Item) {
    const runScripts = (listen: 'prerequest' | 'test', response?: { code: number; json: () => unknown }) => {
      const pm = {
        response,
        collectionVariables: {
          get: (key: string) => variables.get(key),
          set: (key: string, value: string) => variables.set(key, value),
        },
      };
      for (const each of event)
        if (each.listen === listen) runInNewContext(each.script.exec.join('\n'), { pm });
    };
    runScripts('prerequest');
    const headers = request.header.filter((each) => !each.disabled).map(({ key, value }) => [key, value]);
    const response = await fetch(fill(request.url.raw), {
      method: request.method,
      headers: { ...Object.fromEntries(headers), authorization: fill('Bearer {{apiKey}}') },
      ...(request.body === undefined ? {} : { body: fill(request.body.raw) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? (JSON.parse(text) as unknown) : text;
    runScripts('test', { code: response.status, json: () => body });
    return { name, request, status: response.status, body };
  }

  return {
    async run() {
      const answers = [];
      for (const folder of collection.item) {
        const items = folder.item.flatMap((each) => ('item' in each ? each.item : [each]));
        for (const item of items) answers.push(await send(item));
      }
      return answers;
    },
  };
}

type ApiDocument = { paths: Record<string, Record<string, { responses: object }>> };

export const readDocument = async () => (await readJson('docs/openapi.json')) as ApiDocument;

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(ROOT, file), 'utf8'));
}
