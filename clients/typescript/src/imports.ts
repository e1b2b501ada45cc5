import type { Answer } from './answers.js';
import type { Call } from './call.js';
import type { Data, Query } from './operation-types.js';
import { type Form, listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type CheckedImport = Data<'createImport'>;
export type Import = Data<'startImport'>;
export type ImportFormat = NonNullable<Query<'createImport'>['format']>;

const CSV: Form<string> = { read: 'text', mediaType: 'text/csv' };
const JSON_FILE: Form<readonly Readonly<Record<string, unknown>>[]> = {
  read: 'json',
  mediaType: 'application/json',
};

// The service ends an upload after ten minutes.
const UPLOAD_LIMITS = { timeoutMs: 620_000, deadlineMs: 620_000 };

/** Imports, for signed-in Editors, and exports. */
export function importMethods(call: Call) {
  return {
    /** Uploads a file, gzip or not, to be checked. Creates nothing. */
    upload: (
      file: Blob | Uint8Array<ArrayBuffer> | string,
      { format, ...options }: CallOptions & { readonly format?: ImportFormat } = {},
    ): Promise<Answer<CheckedImport>> =>
      call('createImport', { query: { format }, file }, { ...UPLOAD_LIMITS, ...options }),

    /** Creates the smartlinks of a checked file in the background. */
    start: (
      id: string,
      { assignSlugs, ...options }: CallOptions & { readonly assignSlugs?: boolean } = {},
    ): Promise<Answer<Import>> =>
      call('startImport', { body: { id, ...(assignSlugs === undefined ? {} : { assignSlugs }) } }, options),

    get: async (id: string, options?: CallOptions): Promise<Answer<Import>> =>
      (await call('readImports', { query: { id } }, options)) as Answer<Import>,

    /** The newest imports first. */
    list: (options?: CallOptions): Promise<Answer<readonly Import[]>> =>
      call('readImports', {}, options, listOf<Import>()),

    /** The refused rows, and what others lost, as CSV. */
    report: (id: string, options?: CallOptions): Promise<Answer<string>> =>
      call('readImportReport', { query: { id } }, options, CSV),

    /** All smartlinks, in the form that an upload accepts. */
    exportAll: (options?: CallOptions): Promise<Answer<readonly Readonly<Record<string, unknown>>[]>> =>
      call('exportSmartlinks', {}, options, JSON_FILE),

    /** All smartlinks as a table for spreadsheets. */
    exportCsv: (options?: CallOptions): Promise<Answer<string>> =>
      call('exportSmartlinks', { query: { format: 'csv' } }, options, CSV),
  };
}
