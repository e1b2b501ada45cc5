import { testsIn } from './statement.js';
import type { TestReference } from './statement.js';

// The files whose tests hold statements, each under the name the statements use.
const inManagement = (name: string) => testsIn(`services/management/test/${name}.int.test.ts`);
const inAdmin = (name: string) => testsIn(`tools/admin/test/${name}.int.test.ts`);

export const admin = inAdmin('admin');
export const adminKeys = inAdmin('keys');
export const audit = inAdmin('audit');
export const plans = inAdmin('plans');

export const analytics = inManagement('analytics');
export const analyticsOutage = inManagement('analytics-outage');
export const analyticsRecord = inManagement('conformance-analytics');
export const rollups = inManagement('rollups');
export const apiReference = inManagement('api-reference');
export const authentication = inManagement('authentication');
export const bulk = inManagement('bulk-promises');
export const conflicts = inManagement('create-conflicts');
export const cors = inManagement('cors');
export const create = inManagement('create');
export const createRules = inManagement('create-rules');
export const deletion = inManagement('delete');
export const envelope = inManagement('conformance-envelope');
export const fields = inManagement('conformance-fields');
export const health = inManagement('health');
export const hostileUrls = inManagement('hostile-urls');
export const idempotency = inManagement('idempotency');
export const order = inManagement('conformance-order');
export const passwords = inManagement('passwords');
export const patch = inManagement('patch');
export const patchTypes = inManagement('patch-types');
export const postgresFaults = inManagement('postgres-faults');
export const qr = inManagement('qr');
export const races = inManagement('hostile-races');
export const rateLimit = inManagement('rate-limit');
export const read = inManagement('read');
export const rechecks = inManagement('url-rechecks');
export const rename = inManagement('rename');
export const requestBodies = inManagement('request-bodies');
export const resolve = inManagement('resolve');
export const resolveRequests = inManagement('resolve-requests');
export const routing = inManagement('http-routing');
export const safetyProviders = inManagement('url-safety-providers');
export const secrets = inManagement('hostile-secrets');
export const sizes = inManagement('hostile-sizes');
export const slugs = inManagement('conformance-slugs');
export const smartlink = inManagement('conformance-smartlink');
export const status = inManagement('status');
export const tenants = inManagement('hostile-tenants');
export const totals = inManagement('totals');
export const typeLimits = inManagement('type-limits');
export const types = inManagement('types');
export const urlSafety = inManagement('url-safety');
export const urls = inManagement('conformance-urls');

export const agentDetails = testsIn('libs/visit-routing/src/agent-details.test.ts');
export const analyticsQuery = testsIn('services/management/src/analytics/analytics-query.test.ts');
export const apiKey = testsIn('libs/smartlink/src/api-key.test.ts');
export const assignedSlug = testsIn('libs/smartlink-store/src/assign-slugs.test.ts');
export const blocklist = testsIn('services/management/src/url-safety/blocklist.test.ts');
export const calendar = testsIn('libs/visit-analytics/src/calendar.test.ts');
export const clientAddress = testsIn('services/redirect/src/client-address.test.ts');
export const contactLink = testsIn('libs/smartlink/src/contact-link.test.ts');
export const countVisit = testsIn('libs/visit-routing/src/count-visit.test.ts');
export const createUrlSafety = testsIn('services/management/src/url-safety/create-url-safety.test.ts');
export const csv = testsIn('services/management/src/analytics/csv.test.ts');
export const decideAgents = testsIn('libs/visit-routing/src/decide-agents.test.ts');
export const destination = testsIn('libs/smartlink/src/destination-url.test.ts');
export const errors = testsIn('services/management/src/errors.test.ts');
export const jsonBody = testsIn('services/management/src/json-body.test.ts');
export const passwordHash = testsIn('libs/smartlink/src/password-hash.test.ts');
export const passwordHasher = testsIn('services/management/src/smartlinks/password-hasher.test.ts');
export const platform = testsIn('libs/visit-routing/src/platform.test.ts');
export const previewAgents = testsIn('libs/visit-routing/src/preview-agents.test.ts');
export const qrAddress = testsIn('libs/qr-code/src/qr-address.test.ts');
export const slugText = testsIn('libs/smartlink/src/slug.test.ts');
export const text = testsIn('libs/smartlink/src/text.test.ts');
export const urlMembers = testsIn('libs/smartlink/src/url-members.test.ts');
export const urlSafetyPolicy = testsIn('services/management/src/url-safety/url-safety.test.ts');
export const validation = testsIn('libs/smartlink/src/validation.test.ts');
export const visitEvent = testsIn('services/redirect/src/visit-event.test.ts');
export const visitorId = testsIn('services/redirect/src/visitor/visitor-id.test.ts');
export const visitors = testsIn('services/redirect/test/visitors.int.test.ts');
export const visitorSalts = testsIn('services/redirect/src/visitor/visitor-salts.test.ts');

/** A create is refused with a fault at `path`, by the limits of the six newer types. */
export const limit = (path: string): TestReference =>
  typeLimits(`what is refused, at its path [["${path}" …`);

/** A create with a bad value at `path` is refused there. */
export const faultAt = (path: string): TestReference => fields(`is a fault at its path: ${path} in …`);

/** A create of this content is taken. */
export const taken = (name: string): TestReference => fields(`is taken: ${name}`);

/** A create as full as it may be, or as empty, is taken and returned as it is. */
export const whole = (name: string): TestReference =>
  types(
    `everything that a type may have is taken, stored and returned, defaults filled in, unset members left out ${name}`,
  );

/** A create is refused with one fault that says why. */
export const refused = (name: string): TestReference => createRules(`what a create refuses ${name}`);

/** The Smartlink object of one type, wherever it is answered. */
export const object = (type: string): TestReference =>
  smartlink(`${type} is the same object in create, list, fetch, PATCH and status`);

/** `null` on create is nothing. */
export const nullIn = (what: string): TestReference => smartlink(`null on create equals absent: ${what}`);
