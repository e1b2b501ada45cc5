import { beforeAll, expect, test } from 'vitest';
import { type Scope, SCOPES } from '@smartlink/smartlink/credentials';
import { type Role, ROLES } from '../src/accounts/roles.js';
import { addKey, caller, type Caller, createPerson, signIn, useService } from './start-service.js';
import { routesOf } from './stored-state.js';

// Every route, by keys with one scope each and by persons of each role.

const { service, user } = useService();
const callers: { readonly who: Scope | Role | 'operator'; readonly api: Caller }[] = [];

beforeAll(async () => {
  for (const scope of SCOPES) {
    const apiKey = await addKey(service.app, user.userId);
    await service.app.pg.query('update api_keys set scopes = $2 where display_prefix = $1', [
      apiKey.slice(0, 17),
      [scope],
    ]);
    callers.push({ who: scope, api: caller(service.app, apiKey) });
  }
  for (const role of ROLES) {
    const person = await createPerson(service.app, { roles: { [user.userId]: role } });
    callers.push({ who: role, api: (await signIn(service.app, person, user.userId)).api });
  }
  const operator = await createPerson(service.app, { isOperator: true });
  callers.push({ who: 'operator', api: (await signIn(service.app, operator, null)).api });
});

type Need = { readonly scope?: Exclude<Scope, '*'> | 'any'; readonly role: Role };

/** What a route needs; without a scope it is for signed-in persons alone. */
function needOf(method: string, path: string): Need {
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === '/validate' || path === '/keys/current') return { scope: 'any', role: 'Viewer' };
  if (path === '/account') return { role: isRead ? 'Viewer' : 'Owner' };
  if (/^\/(keys|members|audit)/.test(path)) return { role: 'Owner' };
  if (path.startsWith('/webhooks'))
    return { scope: isRead ? 'webhooks:read' : 'webhooks:write', role: 'Owner' };
  if (path.startsWith('/domains'))
    return isRead ? { scope: 'domains:read', role: 'Viewer' } : { scope: 'domains:write', role: 'Owner' };
  if (path.includes('/analytics')) return { scope: 'analytics:read', role: 'Viewer' };
  if (path === '/smartlink/preview') return { role: 'Editor' };
  if (isRead) return { scope: 'links:read', role: 'Viewer' };
  const isCreate = method === 'POST' && (path === '/smartlink' || path === '/smartlink/bulk');
  return { scope: isCreate ? 'links:create' : 'links:write', role: 'Editor' };
}

const INCLUDED: Readonly<Partial<Record<Scope, readonly string[]>>> = {
  'links:write': ['links:read', 'links:create'],
  'domains:write': ['domains:read'],
  'webhooks:write': ['webhooks:read'],
};

/** The reason of the refusal; null: none is due. */
function refusalOf(who: Scope | Role | 'operator', { scope, role }: Need): string | null {
  const place = ROLES.indexOf(who as Role);
  // An operator without a membership sees nothing of an account.
  if (who === 'operator') return `Needs the role ${role}`;
  if (place >= 0) return place >= ROLES.indexOf(role) ? null : `Needs the role ${role}`;
  if (scope === undefined) return 'Needs a signed-in person';
  const isHeld = scope === 'any' || who === '*' || who === scope || INCLUDED[who as Scope]?.includes(scope);
  return isHeld ? null : `Needs the scope ${scope}`;
}

test('a scope and a role allow what they name on every route, and nothing else', async () => {
  const routes = routesOf(service.app)
    .map((route) => route.split(' ') as ['GET' | 'HEAD', string])
    // The reference is for everybody; the calls of these have tests of their own.
    .filter(
      ([method, path]) =>
        method !== 'HEAD' && !/^\/(openapi\.json|admin|imports|export|media|frames)/.test(path),
    );
  expect(routes.length).toBeGreaterThan(40);
  const wrong: unknown[] = [];
  for (const [method, path] of routes) {
    const isRead = /^(GET|HEAD)$/.test(method);
    for (const { who, api } of callers) {
      // A body that is no JSON changes nothing for those who may.
      const { status, body } = await api.call(method, path, isRead ? undefined : '{');
      const refusal = refusalOf(who, needOf(method, path));
      const isSelf = path === '/keys/current' && (ROLES as readonly string[]).includes(who);
      const told = status === 403 ? (body?.error?.details?.[0]?.message ?? 'HEAD') : null;
      const expected = isSelf ? 'Needs an API key' : refusal;
      if (told !== expected && !(told === 'HEAD' && expected !== null))
        wrong.push([method, path, who, status, told]);
    }
  }
  expect(wrong).toEqual([]);
});
