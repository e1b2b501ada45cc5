import { readFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../..');

type Folder = { readonly item: readonly (Folder | Item)[] };
type Item = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
};

type Collection = Folder & { readonly auth: { readonly bearer: readonly [{ readonly value: string }] } };

/** Returns every request of the Postman collection, and the key that it sends with them. */
export async function readCollection(): Promise<{ token: string; requests: Item[] }> {
  const collection = (await readJson('clients/postman/smartlink.postman_collection.json')) as Collection;
  return { token: collection.auth.bearer[0].value, requests: requestsOf(collection) };
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
