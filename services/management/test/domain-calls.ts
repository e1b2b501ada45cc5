import { beforeEach, afterAll, expect } from 'vitest';
import { createDomainLookup } from '@smartlink/smartlink/domains';
import { type DnsServer, startDnsServer } from '@smartlink/test-support/dns-server';
import { lookAtDue } from '../src/domains/daily-look.js';
import { createScriptedProvider } from './recheck-fixtures.js';
import {
  caller,
  type Caller,
  createSmartlink,
  PUBLIC_BASE_URL,
  type TestService,
  useService,
} from './start-service.js';
import { count } from './stored-state.js';

export type Domain = {
  id: string;
  host: string;
  status: string;
  isDefault: boolean;
  verification: Record<string, unknown> & { txtName: string; txtValue: string };
};

let hosts = 0;
/** A host that no other test has. */
export const newHost = () => `h${(hosts += 1)}.example.org`;

export async function addDomain(api: Caller, body: object = {}): Promise<Domain> {
  const { status, body: answer } = await api.post('/domains', { host: newHost(), ...body });
  expect([status, answer.error]).toEqual([201, undefined]);
  return answer.data as Domain;
}

export async function verify(api: Caller, { id }: Pick<Domain, 'id'>) {
  const { status, body } = await api.post('/domains/verify', { id });
  return {
    status,
    code: body.error?.code as string,
    message: body.message as string,
    data: body.data as Domain & { smartlinkCount: number },
  };
}

export const findDomain = async (api: Caller, id: string) =>
  ((await api.get('/domains')).body.data as Domain[]).find((domain) => domain.id === id);

/** A name server for the tests of a file, which is started at once. */
export async function useDns(): Promise<DnsServer> {
  const dns = await startDnsServer();
  afterAll(() => dns.close());
  return dns;
}

/** A service that asks this name server and a scripted safety provider, for the tests of a file. */
export function useDomains(dns: DnsServer) {
  const provider = createScriptedProvider();
  const { service } = useService({ env: { DOMAIN_DNS_SERVERS: dns.address }, urlSafety: provider });
  beforeEach(() => {
    dns.zones.clear();
    provider.reset();
  });

  /** Sets the TXT record, beside another one, and in two chunks. */
  const prove = ({ verification: { txtName: name, txtValue } }: Domain) =>
    dns.zones.set(name, { TXT: [['v=spf1 -all'], [txtValue.slice(0, 10), txtValue.slice(10)]] });

  return {
    service,
    provider,
    prove,
    async newUser(plan?: string) {
      const user = await service.createUser(plan);
      return { ...user, api: caller(service.app, user.apiKey) };
    },
    async addProven(api: Caller, body: object = {}): Promise<Domain> {
      const domain = await addDomain(api, body);
      prove(domain);
      const { data } = await verify(api, domain);
      expect(data.status).toBe('Active');
      return data;
    },
    async stored(id: string) {
      const { rows } = await service.app.pg.query('select number, status from domains where id = $1', [id]);
      return rows[0] as { number: number; status: string } | undefined;
    },
    async audited(userId: string, id: string) {
      const { rows } = await service.app.pg.query<{ action: string }>(
        `select action from audit_entries where user_id = $1 and details ->> 'domainId' = $2 order by id`,
        [userId, id],
      );
      return rows.map(({ action }) => action);
    },
    /** The messages for webhooks of an account. */
    async messages(userId: string) {
      const { rows } = await service.app.pg.query<{ type: string; data: object }>(
        `select event_type as type, data from webhook_deliveries
         where webhook_id in (select id from webhooks where user_id = $1) order by occurred_at`,
        [userId],
      );
      return rows;
    },
    /** The daily look at these domains, now. */
    async lookAt(...domains: readonly Pick<Domain, 'id'>[]): Promise<void> {
      const { pg } = service.app;
      const ids = domains.map(({ id }) => id);
      await pg.query(
        `update domains set check_due_at = now() - interval '1 day', checked_at = null where id = any($1)`,
        [ids],
      );
      const lookUp = createDomainLookup({ servers: [dns.address], publicBaseUrl: PUBLIC_BASE_URL });
      await lookAtDue({ pg, lookUp, urlSafety: provider, onLook: () => undefined });
      // The job of the service may have taken some of them.
      await expect
        .poll(() => count(service.app, 'domains where id = any($1) and checked_at is null', [ids]))
        .toBe(0);
    },
    async passDays({ id }: Domain, days: number): Promise<void> {
      await service.app.pg.query(
        `update domains set created_at = created_at - $2 * interval '1 day',
                            failing_since = failing_since - $2 * interval '1 day'
         where id = $1`,
        [id, days],
      );
    },
  };
}

/** What brings about the failures of domains, by the names of their examples. */
export function domainFailures(given: {
  readonly service: TestService;
  readonly dns: DnsServer;
  readonly api: () => Caller;
  readonly guardedApi: () => Caller;
  readonly starter: () => Caller;
}) {
  const { service, dns, api, guardedApi, starter } = given;
  const rootUrl = 'https://unsafe.example.net/';
  const setStatus = (id: string, status: string) =>
    service.app.pg.query('update domains set status = $2 where id = $1', [id, status]);
  return {
    listDomains: { limit: () => api().get('/domains?limit=101') },
    createDomain: {
      host: () => api().post('/domains', { host: '192.0.2.1' }),
      tooMany: async () => {
        const { userId, apiKey } = await service.createUser();
        await service.app.pg.query(
          `insert into domains (id, user_id, host, token)
           select gen_random_uuid(), $1, 'many' || n || '.example.org', 'x' from generate_series(1, 100) as n`,
          [userId],
        );
        return caller(service.app, apiKey).post('/domains', { host: newHost() });
      },
      planRestricted: () => starter().post('/domains', { host: newHost() }),
      taken: async () => {
        const { host } = await addDomain(api());
        return api().post('/domains', { host });
      },
      unsafe: () => guardedApi().post('/domains', { host: newHost(), rootUrl }),
    },
    updateDomain: {
      notVerified: async () => {
        const { id } = await addDomain(api());
        return api().patch('/domains', { id, isDefault: true });
      },
      unsafe: async () => {
        const { id } = await addDomain(api());
        return guardedApi().patch('/domains', { id, rootUrl });
      },
    },
    deleteDomain: {
      domainInUse: async () => {
        const { id } = await addDomain(api());
        const { id: smartlinkId } = await createSmartlink(api());
        await service.app.pg.query(
          'update smartlinks set domain_number = (select number from domains where id = $2) where id = $1',
          [smartlinkId, id],
        );
        return api().delete('/domains', { domainId: id });
      },
    },
    verifyDomain: {
      taken: async () => {
        const { id, host, verification } = await addDomain(api());
        const { apiKey } = await service.createUser();
        await setStatus((await addDomain(caller(service.app, apiKey), { host })).id, 'Active');
        dns.zones.set(verification.txtName, { TXT: [[verification.txtValue]] });
        return api().post('/domains/verify', { id });
      },
    },
  };
}
