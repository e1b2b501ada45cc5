import { z } from 'zod';
import {
  appleAppSiteAssociationFile,
  assetLinksFile,
  destination,
  flag,
  mustBe,
  parseDomainHost,
} from '@smartlink/smartlink/document';
import { DOMAINS_MAX } from '@smartlink/smartlink/domains';
import { DOMAIN_STATUSES } from '@smartlink/smartlink/model';
import { LIST_LIMIT_MAX, objectId, pageParameters } from '../collections/collection.js';
import { EXAMPLE_TIME, onFirstCall, type Operation, type Success, timestamp } from '../operation.js';

export const listQuerySchema = z.object(pageParameters);

/** The bodies of the calls. */
export function createDomainSchemas(publicBaseUrl: string) {
  const destinations = { publicBaseUrl };
  const url = (description: string) => destination(destinations).nullable().optional().meta({ description });
  const members = {
    rootUrl: url(
      'Where `/` of the domain leads, an http or https address outside of this service. Without it a small page is shown.',
    ),
    notFoundUrl: url(
      'Where unknown addresses of the domain lead. Without it the page for unknown links is shown.',
    ),
    expiredUrl: url(
      'Where smartlinks of the domain lead that are over, unless they have an `expiredUrl` of their own.',
    ),
    appleAppSiteAssociation: appleAppSiteAssociationFile()
      .nullable()
      .optional()
      .meta({ description: 'Content of `/.well-known/apple-app-site-association`, 64 KiB at most.' }),
    assetLinks: assetLinksFile()
      .nullable()
      .optional()
      .meta({ description: 'Content of `/.well-known/assetlinks.json`, 64 KiB at most.' }),
    isDefault: flag().optional().meta({
      description:
        'Whether new smartlinks get this domain if they name none. Only a verified domain may be the default.',
    }),
  };
  const host = z
    .string(mustBe('a string'))
    .transform((text, context) => {
      const parsed = parseDomainHost(text, publicBaseUrl);
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: 'Must be a host name' });
      return z.NEVER;
    })
    .meta({
      description: 'A public host name, in Unicode or as A-labels. It cannot change.',
      maxLength: 253,
    });
  return {
    create: z.object({ host, ...members }, 'Must be an object'),
    update: z.object({ id: objectId('domain'), ...members }, 'Must be an object'),
    remove: z.object({ domainId: objectId('domain') }, 'Must be an object'),
    verify: z.object({ id: objectId('domain') }, 'Must be an object'),
  };
}

type Schemas = ReturnType<typeof createDomainSchemas>;
export type CreateBody = z.output<Schemas['create']>;
export type UpdateBody = z.output<Schemas['update']>;

/** The domain in all examples. */
export const EXAMPLE_DOMAIN_ID = '019aa5c4-c000-7000-8000-0000000000d5';

const EXAMPLE_DOMAIN = {
  id: EXAMPLE_DOMAIN_ID,
  host: 'go.example.org',
  status: 'Pending',
  isDefault: false,
  rootUrl: 'https://example.org/',
  verification: {
    txtName: '_smartlink.go.example.org',
    txtValue: 'smartlink-verify=Q7mKx2Vb9TnLw4RsYc8HdJf3GpZa6UeB',
    cnameTarget: 'sl.example.com',
  },
  smartlinkCount: 0,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const EXAMPLE_VERIFIED = {
  ...EXAMPLE_DOMAIN,
  status: 'Active',
  verification: { ...EXAMPLE_DOMAIN.verification, pointsHere: true, checkedAt: EXAMPLE_TIME },
};

/** A domain in answers. */
const domain = onFirstCall(() => {
  const url = (description: string) => z.string().optional().meta({ format: 'uri', description });
  const verification = z.strictObject({
    txtName: z.string().meta({ description: 'Name of the TXT record that proves the host.' }),
    txtValue: z.string().meta({ description: 'Its value. The name may have other TXT records too.' }),
    cnameTarget: z.string().meta({
      description: 'Where the host should lead: by a CNAME record, or by the addresses of this name.',
    }),
    pointsHere: z.boolean().optional().meta({
      description:
        'Whether it led here at the last look; a proxy between may hide that. Absent if the DNS did not say.',
    }),
    checkedAt: timestamp('Time of the last look at the records, in UTC.').optional(),
    problem: z
      .string()
      .optional()
      .meta({ description: 'What the last look found, for people. Absent if all is well.' }),
  });
  return z
    .strictObject({
      id: z.string().meta({ description: 'Identifier of the domain.', example: EXAMPLE_DOMAIN_ID }),
      host: z.string().meta({ description: 'Its host, in lower case and as A-labels.' }),
      status: z.enum(DOMAIN_STATUSES).meta({
        description:
          '`Pending` until the TXT record is found; removed after 30 days. `Active`: in use. `Failing`: the record is gone; ' +
          'still served. `Suspended`: gone for 14 days; not served.',
      }),
      isDefault: z
        .boolean()
        .meta({ description: 'Whether new smartlinks get this domain if they name none.' }),
      rootUrl: url('Where `/` leads.'),
      notFoundUrl: url('Where unknown addresses lead.'),
      expiredUrl: url('Where smartlinks lead that are over.'),
      appleAppSiteAssociation: z
        .looseObject({})
        .optional()
        .meta({ description: 'Content of `/.well-known/apple-app-site-association`.' }),
      assetLinks: z
        .array(z.unknown())
        .optional()
        .meta({ description: 'Content of `/.well-known/assetlinks.json`.' }),
      verification,
      smartlinkCount: z
        .int()
        .min(0)
        .meta({ description: 'Active and Paused smartlinks whose primary address is there.' }),
      createdAt: timestamp('When it was added, in UTC.'),
      updatedAt: timestamp('When it, or its status, was last changed, in UTC.'),
    })
    .meta({ id: 'Domain' });
});

const NOT_FOUND = { notFound: { summary: 'Unknown domain', message: 'Domain not found' } };
const TAKEN = {
  taken: { summary: 'A host in use', details: [{ path: 'host', message: 'Is already taken' }] },
};
const UNSAFE = {
  unsafe: {
    summary: 'An unsafe destination',
    details: [{ path: 'rootUrl', message: 'URL was judged unsafe' }],
  },
};
const NOT_VERIFIED = {
  notVerified: {
    summary: 'A default that is not verified',
    details: [{ path: 'isDefault', message: 'This domain is not verified' }],
  },
};
const missing = (name: string) => ({
  missingId: { summary: `No ${name}`, details: [{ path: name, message: 'Required' }] },
});

function answer(
  status: Success['status'],
  description: string,
  examples: Readonly<Record<string, readonly [summary: string, message: string, data: object]>>,
): Success {
  return {
    status,
    description,
    data: {
      schema: domain(),
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, [summary, message, data]]) => [
          name,
          { summary, message, data },
        ]),
      ),
    },
  };
}

/** The operations of domains in the API reference. */
export const domainOperations = (schemas: Schemas) => ({
  list: () => listOperation(),
  create: () => createOperation(schemas),
  update: () => updateOperation(schemas),
  remove: () => removeOperation(schemas),
  verify: () => verifyOperation(schemas),
});

const listOperation = (): Operation => ({
  tag: 'Domains',
  operationId: 'listDomains',
  summary: 'List domains',
  description: 'Newest first. In pages: follow `Link: rel="next"`, or send `X-Next-Cursor` as `cursor`.',
  query: listQuerySchema,
  success: {
    status: 200,
    description: 'A page of the list.',
    headers: ['Link', 'X-Next-Cursor'],
    data: {
      schema: z.array(domain()),
      examples: { list: { summary: 'One domain', message: 'Domains retrieved', data: [EXAMPLE_VERIFIED] } },
    },
  },
  errors: {
    VALIDATION_FAILED: {
      limit: {
        summary: 'A limit that is too high',
        details: [{ path: 'limit', message: `Must be a whole number from 1 to ${LIST_LIMIT_MAX}` }],
      },
    },
  },
});

const createOperation = (schemas: Schemas): Operation => ({
  tag: 'Domains',
  operationId: 'createDomain',
  summary: 'Add a domain',
  description:
    `A user can have at most ${DOMAINS_MAX} domains. The domain is \`Pending\` until the TXT record of \`verification\` ` +
    'is found, by `POST /domains/verify` or a daily look. Several users may add one host; the first to prove it has it. ' +
    'With `DOMAIN_VERIFICATION=trust` it is `Active` at once.',
  body: {
    schema: schemas.create,
    examples: {
      create: { summary: 'A domain', value: { host: 'go.example.org', rootUrl: 'https://example.org/' } },
    },
  },
  success: answer(201, 'Added.', { created: ['Added', 'Domain created', EXAMPLE_DOMAIN] }),
  errors: {
    VALIDATION_FAILED: {
      host: { summary: 'No public host name', details: [{ path: 'host', message: 'Must be a host name' }] },
      tooMany: {
        summary: 'Too many domains',
        details: [{ path: '', message: `A user has at most ${DOMAINS_MAX} domains` }],
      },
    },
    PLAN_RESTRICTED: {},
    DOMAIN_TAKEN: TAKEN,
    UNSAFE_URL: UNSAFE,
  },
});

const updateOperation = (schemas: Schemas): Operation => ({
  tag: 'Domains',
  operationId: 'updateDomain',
  summary: 'Change a domain',
  description:
    'Send `id` and the members to change; `null` clears one. The files are replaced whole. A new default replaces the old ' +
    'one. Visitors see changes within ten seconds.',
  body: {
    schema: schemas.update,
    examples: {
      notFound: {
        summary: 'Destination of unknown addresses',
        value: { id: EXAMPLE_DOMAIN_ID, notFoundUrl: 'https://example.org/404' },
      },
      apps: {
        summary: 'Links that open an app',
        value: {
          id: EXAMPLE_DOMAIN_ID,
          appleAppSiteAssociation: {
            applinks: {
              details: [{ appIDs: ['ABCDE12345.org.example.app'], components: [{ '/': '/*' }] }],
            },
          },
        },
      },
    },
  },
  success: answer(200, 'Changed.', { updated: ['Changed', 'Domain updated', EXAMPLE_VERIFIED] }),
  errors: {
    VALIDATION_FAILED: { ...missing('id'), ...NOT_VERIFIED },
    NOT_FOUND,
    UNSAFE_URL: UNSAFE,
  },
});

const removeOperation = (schemas: Schemas): Operation => ({
  tag: 'Domains',
  operationId: 'deleteDomain',
  summary: 'Remove a domain',
  description:
    'Only a domain that is the primary address of no Active or Paused smartlink can be removed. Its addresses lead ' +
    'nowhere from then on, even if the host is added again.',
  body: {
    schema: schemas.remove,
    examples: { delete: { summary: 'Remove', value: { domainId: EXAMPLE_DOMAIN_ID } } },
  },
  success: {
    status: 200,
    description: 'Removed.',
    data: {
      schema: z.null(),
      examples: { deleted: { summary: 'Removed', message: 'Domain deleted', data: null } },
    },
  },
  errors: { VALIDATION_FAILED: missing('domainId'), NOT_FOUND, DOMAIN_IN_USE: {} },
});

const verifyOperation = (schemas: Schemas): Operation => ({
  tag: 'Domains',
  operationId: 'verifyDomain',
  summary: 'Look at the records of a domain',
  description:
    'Looks up the TXT record now, at most ten times a minute for each user. If it is found the domain is `Active`; an ' +
    'Active one without it becomes `Failing`. If the DNS does not answer nothing changes. `verification.problem` says ' +
    'what was found.',
  body: {
    schema: schemas.verify,
    examples: { verify: { summary: 'Look now', value: { id: EXAMPLE_DOMAIN_ID } } },
  },
  success: answer(200, 'The domain, verified or not.', {
    verified: ['Verified', 'Domain verified', EXAMPLE_VERIFIED],
    missing: [
      'Without its record',
      'Domain not verified',
      {
        ...EXAMPLE_DOMAIN,
        verification: {
          ...EXAMPLE_VERIFIED.verification,
          problem: 'There is no TXT record at _smartlink.go.example.org',
        },
      },
    ],
  }),
  errors: { VALIDATION_FAILED: missing('id'), NOT_FOUND, DOMAIN_TAKEN: TAKEN },
});
