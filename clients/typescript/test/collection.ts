import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

const ROOT = path.join(import.meta.dirname, '../../..');

/** Scripts around a request: `prerequest` before it is sent, `test` once it is answered. */
type Script = {
  readonly listen: 'prerequest' | 'test';
  readonly script: { readonly exec: readonly string[] };
};

type Folder = { readonly item: readonly (Folder | Item)[] };
type Item = {
  readonly name: string;
  readonly event?: readonly Script[];
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
};

type Collection = Folder & {
  readonly auth: { readonly bearer: readonly [{ readonly value: string }] };
  readonly variable: readonly { readonly key: string; readonly value: string }[];
};

export type Answered = {
  readonly name: string;
  readonly request: Item['request'];
  readonly status: number;
  readonly body: unknown;
};

/**
 * Returns a runner of the Postman collection: each run sends every request in its order, with its scripts and with the
 * variables as the runs before have left them, and resolves to the answers. `values` are variables of the runner's;
 * webhooks are sent to `webhookOrigin`.
 */
export async function openCollection(values: Readonly<Record<string, string>>, webhookOrigin: string) {
  const collection = (await readJson('clients/postman/smartlink.postman_collection.json')) as Collection;
  const token = collection.auth.bearer[0].value;
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  const fill = (template: string) =>
    template
      .replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? variables.get(name) ?? '')
      .replaceAll('https://hooks.example.org', webhookOrigin);

  async function send({ name, event = [], request }: Item): Promise<Answered> {
    const runScripts = (listen: Script['listen'], response?: { code: number; json: () => unknown }) => {
      const pm = {
        response,
        collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
      };
      for (const each of event)
        if (each.listen === listen) runInNewContext(each.script.exec.join('\n'), { pm });
    };
    runScripts('prerequest');
    const headers = request.header
      .filter((each) => !each.disabled)
      .map(({ key, value }) => [key, value] as const);
    const response = await fetch(fill(request.url.raw), {
      method: request.method,
      headers: { ...Object.fromEntries(headers), authorization: fill(`Bearer ${token}`) },
      ...(request.body === undefined ? {} : { body: fill(request.body.raw) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? (JSON.parse(text) as unknown) : text;
    runScripts('test', { code: response.status, json: () => body });
    return { name, request, status: response.status, body };
  }

  return {
    run: async (): Promise<Answered[]> => {
      const answers: Answered[] = [];
      for (const each of requestsOf(collection)) answers.push(await send(each));
      return answers;
    },
  };
}

/** Returns what the API documents of each path and method. */
export async function readDocument(): Promise<{
  paths: Record<string, Record<string, { responses: object }>>;
}> {
  return (await readJson('docs/openapi.json')) as Awaited<ReturnType<typeof readDocument>>;
}

function requestsOf(folder: Folder): Item[] {
  return folder.item.flatMap((each) => ('item' in each ? requestsOf(each) : [each]));
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(ROOT, file), 'utf8')) as unknown;
}
