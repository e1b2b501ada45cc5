import formatsModule from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

type Reference = { readonly $ref?: string };
type Example = { readonly value: unknown };
export type MediaType = { readonly schema: object; readonly examples: Readonly<Record<string, Example>> };
export type Response = {
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType | undefined>>;
};
export type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
};
export type OperationObject = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Response & Reference>>;
};
export type Document = {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
  };
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
};

/** Whether the operation is for signed-in persons alone. */
export const isForPersons = ({ operation: { security = [] } }: Operation): boolean =>
  security.some((scheme) => Object.hasOwn(scheme, 'session'));

export type ApiReference = Awaited<ReturnType<typeof readReference>>;

/** The document as the service answers it, with what tests ask of it. */
export async function readReference(app: FastifyInstance) {
  const document = (await app.inject('/api/v1/openapi.json')).json<Document>();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formatsModule.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

  /** Where in the document an operation's answer with a status is, and the answer. */
  function responseOf({ method, path, operation }: Operation, status: number) {
    const response = operation.responses[status];
    if (response === undefined) return null;
    const pointer = response.$ref ?? `#/paths/${escape(path)}/${method.toLowerCase()}/responses/${status}`;
    return { pointer, response: resolve(document, pointer) as Response };
  }

  return {
    document,
    operations,
    responseOf,
    /** The operation of that name. */
    find(operationId: string): Operation {
      const found = operations.find(({ operation }) => operation.operationId === operationId);
      if (found === undefined) throw new Error(`There is no operation ${operationId}`);
      return found;
    },
    /** Faults of `value` by the schema at a JSON pointer into the document. */
    faultsAt(pointer: string, value: unknown): string[] {
      const validate =
        ajv.getSchema(`openapi.json${pointer}`) ?? ajv.compile({ $ref: `openapi.json${pointer}` });
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
    /** Faults of a JSON answer by the document. */
    faultsOfAnswer(operation: Operation, status: number, body: unknown): string[] {
      const found = responseOf(operation, status);
      if (found === null) return [`${operation.operation.operationId} documents no ${status}`];
      return this.faultsAt(`${found.pointer}/content/application~1json/schema`, body);
    },
    /** The names of an answer's headers in the document, in lower case; `always`: of those that it must have. */
    headersOf({ headers }: Response, which: 'all' | 'always'): string[] {
      return Object.entries(headers)
        .filter(([, { $ref }]) => {
          const header = resolve(document, $ref ?? '') as { required?: boolean };
          return which === 'all' || header.required === true;
        })
        .map(([name]) => name.toLowerCase());
    },
    /** Throws when a schema of the document cannot be compiled. */
    compile: (schema: object) => ajv.compile({ ...inside(schema) }),
  };
}

/** The value at a JSON pointer (RFC 6901) that begins with `#`. */
export function resolve(document: object, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document);
}

/** A schema of the document with its references made absolute, so that it stands by itself. */
function inside(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.json#/')) as object;
}

const escape = (path: string) => path.replaceAll('~', '~0').replaceAll('/', '~1');
