import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { z } from 'zod';
import {
  anyTypeShape,
  createSmartlinkValidator,
  documentSchemas,
  type SmartlinkValidator,
} from '@smartlink/smartlink/document';
import { createDomainHosts, type DomainHosts } from '@smartlink/smartlink/store';
import type { TotalsReader } from '../analytics/analytics.js';
import { type KnownMembers, knownMembers } from '../ignored-input.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import type { PasswordHasher } from './documents/password-hasher.js';
import { tagChangesSchema } from './documents/patches.js';
import { createReference, type Reference } from './documents/reference.js';
import type { FormatGate } from './publishing/format-gate.js';
import type { Outbox } from './publishing/outbox.js';

/** Dependencies of the smartlink routes. */
export type SmartlinkContext = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly totals: TotalsReader;
  readonly urlSafety: UrlSafety;
  readonly formatGate: FormatGate;
  readonly validator: SmartlinkValidator;
  /** Known to the validator as of the last refresh. */
  readonly domainHosts: DomainHosts;
  readonly hasher: PasswordHasher;
  readonly publicBaseUrl: string;
  readonly reference: Reference;
  /** Content that takes more bytes in Postgres is left to the thread of heavy requests; null in that thread. */
  readonly contentBytesMax: number | null;
  /** The members that a create, or a PATCH, of any type reads. */
  readonly createMembers: KnownMembers;
  readonly patchMembers: KnownMembers;
};

// Most smartlinks take less than 1 KiB. Compressed to 8 KiB, a menu of 30 KiB is served on the event loop.
const LIGHT_CONTENT_BYTES_MAX = 8 * 1024;

export function createContext(
  app: FastifyInstance,
  given: Pick<SmartlinkContext, 'outbox' | 'publicBaseUrl'>,
): SmartlinkContext {
  const { pg, figures, urlSafety, formatGate } = app;
  const { publicBaseUrl } = given;
  const schemas = documentSchemas({ publicBaseUrl, passwordRequired: true });
  const domainHosts = createDomainHosts(pg);
  const createMembers: KnownMembers = knownMembers(z.object(anyTypeShape(schemas))) ?? new Map();
  return {
    ...given,
    pg,
    urlSafety,
    formatGate,
    totals: figures.totals,
    validator: createSmartlinkValidator({ publicBaseUrl, isDomain: domainHosts.has }),
    domainHosts,
    hasher: app.passwordHasher,
    reference: createReference(publicBaseUrl),
    contentBytesMax: app.hasDecorator('heavyRequests') ? LIGHT_CONTENT_BYTES_MAX : null,
    createMembers: new Map([['utmTemplateId', null], ...createMembers]),
    patchMembers: new Map([['id', null], ...createMembers, ...(knownMembers(tagChangesSchema) ?? [])]),
  };
}
