import { describe, expect, test } from 'vitest';
import type { Scope } from '@smartlink/smartlink/credentials';
import { requireAccess } from './access.js';
import type { Credential, Principal } from './accounts.js';
import type { Role } from './roles.js';

const as = (credential: Credential) => ({ credential }) as Principal;
const key = (...scopes: readonly Scope[]) => as({ kind: 'key', id: 'k', scopes, createdBy: null });
const person = (role: Role, isOperator = false) =>
  as({ kind: 'session', id: 's', personId: 'p', role, isOperator });

describe('a key', () => {
  test.each<[Scope, Exclude<Scope, '*'>]>([
    ['*', 'webhooks:write'],
    ['links:write', 'links:read'],
    ['links:write', 'links:create'],
    ['domains:write', 'domains:read'],
    ['webhooks:write', 'webhooks:read'],
    ['analytics:read', 'analytics:read'],
  ])('with %s may do what needs %s', (held, scope) => {
    expect(() => {
      requireAccess(key(held), { scope, role: 'Owner' });
    }).not.toThrow();
  });

  test.each<[Scope, Exclude<Scope, '*'>]>([
    ['links:read', 'links:create'],
    ['links:create', 'links:read'],
    ['links:create', 'links:write'],
    ['links:write', 'analytics:read'],
    ['webhooks:read', 'webhooks:write'],
    ['domains:write', 'webhooks:read'],
  ])('with %s alone may not do what needs %s', (held, scope) => {
    expect(() => {
      requireAccess(key(held), { scope, role: 'Viewer' });
    }).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        message: 'This API key may not do this',
        details: [{ path: '', message: `Needs the scope ${scope}` }],
      }),
    );
  });

  test('never does what needs a person', () => {
    expect(() => {
      requireAccess(key('*'), { person: 'Viewer' });
    }).toThrow(expect.objectContaining({ details: [{ path: '', message: 'Needs a signed-in person' }] }));
  });
});

describe('a person', () => {
  test.each<[Role, Role, boolean]>([
    ['Owner', 'Editor', true],
    ['Editor', 'Editor', true],
    ['Editor', 'Viewer', true],
    ['Viewer', 'Editor', false],
    ['Editor', 'Owner', false],
  ])('who is %s calls what needs %s: %s', (role, needed, isAllowed) => {
    const call = () => {
      requireAccess(person(role), { scope: 'links:write', role: needed });
    };
    if (isAllowed) expect(call).not.toThrow();
    else {
      expect(call).toThrow(
        expect.objectContaining({
          code: 'FORBIDDEN',
          details: [{ path: '', message: `Needs the role ${needed}` }],
        }),
      );
    }
  });

  test('needs the right to operate, whatever the role', () => {
    const call = (isOperator: boolean) => () => {
      requireAccess(person('Owner', isOperator), { person: 'operator' });
    };
    expect(call(true)).not.toThrow();
    expect(call(false)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});
