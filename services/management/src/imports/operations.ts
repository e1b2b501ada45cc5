import { z } from 'zod';
import { EXPORT_FORMATS } from '@smartlink/import/export';
import { IMPORT_FORMATS } from '@smartlink/import/files';
import { EXAMPLE_TIME, onFirstCall, type Operation, timestamp } from '../operation.js';
import { CHECKED_MAX, PROBLEMS_MAX, ROWS_MAX } from './check-upload.js';
import { UPLOADS_SHOWN_MAX } from './queries.js';

/** The import in all examples. */
export const EXAMPLE_IMPORT_ID = '019aa5c4-c000-7000-8000-0000000000d1';

/** Imports of an account that are started and not done. */
export const RUNNING_MAX = 5;

export const UPLOAD_TYPES = [
  'application/octet-stream',
  'application/json',
  'application/x-ndjson',
  'application/gzip',
  'text/csv',
] as const;

const idField = () =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'Required' : 'Must be given once, as a string') })
    .refine((id) => id !== '', 'Must not be empty')
    .meta({ description: 'Identifier of the import.', minLength: 1 });

export const uploadQuerySchema = z.object({
  format: z
    .enum(IMPORT_FORMATS, `Must be one of ${IMPORT_FORMATS.join(', ')}`)
    .optional()
    .meta({ description: 'Format of the file; detected by default.' }),
});

export const listQuerySchema = z.object({
  id: idField().optional().meta({ description: 'Fetch this import instead of a list.' }),
});

export const reportQuerySchema = z.object({ id: idField() });

export const startBodySchema = z.object(
  {
    id: idField(),
    assignSlugs: z.boolean('Must be true or false').optional().meta({
      description: 'Assign another address to rows whose own is taken or invalid, instead of refusing them.',
    }),
  },
  'Must be an object',
);

export const exportQuerySchema = z.object({
  format: z
    .enum(EXPORT_FORMATS, `Must be one of ${EXPORT_FORMATS.join(', ')}`)
    .optional()
    .meta({ description: '`json` (the default), which an import accepts, or `csv` for spreadsheets.' }),
});

const count = (description: string) => z.int().min(0).meta({ description });

const importSchema = () =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the import.', example: EXAMPLE_IMPORT_ID }),
      format: z.enum(IMPORT_FORMATS).meta({ description: 'Format of the file.' }),
      state: z.enum(['checked', 'running', 'done', 'failed']).meta({
        description:
          '`checked`: nothing is created before it is started. `failed`: some rows were not stored.',
      }),
      total: count('Rows of the file.'),
      ready: count('Rows that could be stored when the file was checked.'),
      done: count('Rows that are stored or refused.'),
      created: count('Smartlinks created so far.'),
      refused: count('Rows refused so far; before the start, as many as are expected.'),
      createdAt: timestamp('When the file was uploaded, in UTC.'),
      startedAt: timestamp('When the import was started, in UTC.').optional(),
      finishedAt: timestamp('When it ended, in UTC.').optional(),
    })
    .meta({ id: 'Import' });

const checkedSchema = () =>
  z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the import.', example: EXAMPLE_IMPORT_ID }),
      format: z.enum(IMPORT_FORMATS).meta({ description: 'Format of the file.' }),
      rows: count('Rows of the file.'),
      ready: count('Rows that can be stored.'),
      refused: count('Rows that would be refused.'),
      problems: z
        .array(
          z.strictObject({
            row: z.int().min(1).meta({ description: 'Number of the row, without the heading.' }),
            line: z.int().min(1).optional().meta({ description: 'Line of the file where it begins.' }),
            slug: z.string().optional().meta({ description: 'Address that it requests.' }),
            reason: z.string().meta({ description: 'Why it would be refused.' }),
          }),
        )
        .max(PROBLEMS_MAX)
        .meta({ description: `The first ${PROBLEMS_MAX} rows that would be refused.` }),
    })
    .meta({ id: 'CheckedImport' });

const EXAMPLE_CHECKED = {
  id: EXAMPLE_IMPORT_ID,
  format: 'csv',
  rows: 120,
  ready: 119,
  refused: 1,
  problems: [{ row: 17, line: 18, slug: 'menu', reason: 'shortener: Required' }],
};
const EXAMPLE_IMPORT = {
  id: EXAMPLE_IMPORT_ID,
  format: 'csv',
  state: 'running',
  total: 120,
  ready: 119,
  done: 0,
  created: 0,
  refused: 0,
  createdAt: EXAMPLE_TIME,
  startedAt: EXAMPLE_TIME,
};

const COMMON = { tag: 'Import and export' } as const;
const NOT_FOUND = { notFound: { summary: 'No import', message: 'Import not found' } };
const REPORT_EXAMPLE = 'row,line,slug,reason,created as\r\n17,18,menu,shortener: Required,\r\n';

/** The operations on imports of the API reference. */
export function importOperations() {
  // One instance of each schema, so that the operations refer to the same components.
  const view = onFirstCall(importSchema);
  return {
    create: createOperation,
    start: () => startOperation(view()),
    read: () => readOperation(view()),
    report: reportOperation,
  } satisfies Record<string, () => Operation>;
}

function createOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'createImport',
    summary: 'Upload a file of links',
    description:
      'The body is the file, gzip or not: an export, CSV, create bodies as JSON, or a file of Bitly, Shlink, Kutt or YOURLS, ' +
      `of at most 200 MiB (unpacked) and ${ROWS_MAX} rows. It is checked as it arrives, and creates nothing. An upload ends ` +
      'when fewer than 16 KiB arrive in a second, over 15 seconds, and after ten minutes. A checked import can be started ' +
      `for 24 hours; an account keeps the ${CHECKED_MAX} newest. For signed-in Editors.`,
    query: uploadQuerySchema,
    upload: UPLOAD_TYPES,
    success: {
      status: 201,
      description: 'What an import of the file would do.',
      data: {
        schema: checkedSchema(),
        examples: { checked: { summary: 'A file', message: 'File checked', data: EXAMPLE_CHECKED } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        noLinks: {
          summary: 'A file that holds no links',
          details: [{ path: '', message: 'The file is HTML or XML, not CSV or JSON' }],
        },
      },
      PAYLOAD_TOO_LARGE: {
        bytes: { summary: 'A large file', message: 'The file is larger than 200 MiB' },
      },
      UNSUPPORTED_MEDIA_TYPE: {
        type: {
          summary: 'Another content type',
          message: `Content-Type must be one of ${UPLOAD_TYPES.join(', ')}`,
        },
      },
    },
  };
}

function startOperation(view: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'startImport',
    summary: 'Start an import',
    description:
      'Creates the smartlinks of a checked file in the background, at the pace that other accounts allow. The import goes on ' +
      'after a restart of the service. Rows that cannot be stored are refused one by one. Starting it again changes nothing.',
    body: {
      schema: startBodySchema,
      examples: { start: { summary: 'A checked file', value: { id: EXAMPLE_IMPORT_ID } } },
    },
    success: {
      status: 200,
      description: 'The import.',
      data: {
        schema: view,
        examples: { started: { summary: 'Started', message: 'Import started', data: EXAMPLE_IMPORT } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        running: {
          summary: 'Many imports at once',
          details: [{ path: '', message: `An account runs at most ${RUNNING_MAX} imports at once` }],
        },
      },
      NOT_FOUND,
    },
  };
}

function readOperation(view: z.ZodType): Operation {
  return {
    ...COMMON,
    operationId: 'readImports',
    summary: 'List imports, or fetch one',
    description: `With \`id\` that import, otherwise the newest ${UPLOADS_SHOWN_MAX}. Ended imports are kept for seven days.`,
    query: listQuerySchema,
    success: {
      status: 200,
      description: 'A list, or with `id` one import.',
      data: {
        schema: z.union([z.array(view), view]),
        examples: {
          list: { summary: 'Without id', message: 'Imports retrieved', data: [EXAMPLE_IMPORT] },
          fetch: { summary: 'With id', message: 'Import retrieved', data: EXAMPLE_IMPORT },
        },
      },
    },
    errors: { NOT_FOUND },
  };
}

function reportOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'readImportReport',
    summary: 'Download the report of an import',
    description:
      'The refused rows, and those that lost something or got another address, with the reason. Before the import is done, ' +
      'the report also says what is expected of the other rows.',
    query: reportQuerySchema,
    success: {
      status: 200,
      description: 'The report.',
      headers: ['Content-Disposition'],
      otherContent: {
        'text/csv': {
          schema: z.string().meta({ description: 'RFC 4180 with a header.' }),
          examples: { report: { summary: 'A refused row', value: REPORT_EXAMPLE } },
        },
      },
    },
    errors: { NOT_FOUND },
  };
}

export function exportOperation(): Operation {
  return {
    ...COMMON,
    operationId: 'exportSmartlinks',
    summary: 'Export all smartlinks',
    description:
      'All smartlinks that are not deleted, with their former addresses, tags, notes, folders by name and totals. For keys with ' +
      '`links:write`, Editors and Owners it has the hashes of passwords: protect it like the database. `POST /imports` and the ' +
      'admin command accept the JSON.',
    query: exportQuerySchema,
    success: {
      status: 200,
      description: 'The smartlinks, oldest first.',
      headers: ['Content-Disposition'],
      otherContent: {
        'application/json': {
          schema: z.array(z.record(z.string(), z.unknown())),
          examples: {
            links: {
              summary: 'A smartlink',
              value: [
                {
                  configuration: {
                    smartlinkName: 'Docs',
                    smartlinkType: 'Url',
                    smartlinkUrl: 'docs',
                  },
                  shortener: { url: 'https://www.example.com/docs' },
                  export: {
                    version: 1,
                    status: 'Active',
                    createdAt: EXAMPLE_TIME,
                    updatedAt: EXAMPLE_TIME,
                    aliases: [],
                    totals: { clicks: 12, scans: 3, fallbacks: 0 },
                  },
                },
              ],
            },
          },
        },
        'text/csv': {
          schema: z.string().meta({ description: 'With `format=csv`: RFC 4180 with a header.' }),
          examples: {
            links: {
              summary: 'A smartlink',
              value:
                'name,address,type,destination,status,created,clicks,scans,fallbacks\r\n' +
                `Docs,https://sl.example.com/docs,Url,https://www.example.com/docs,Active,${EXAMPLE_TIME},12,3,0\r\n`,
            },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        format: {
          summary: 'An unknown format',
          details: [{ path: 'format', message: 'Must be one of json, csv' }],
        },
      },
    },
  };
}
