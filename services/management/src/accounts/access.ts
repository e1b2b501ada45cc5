import fp from 'fastify-plugin';
import type { Scope } from '@smartlink/smartlink/credentials';
import { ApiError } from '../errors.js';
import { type Principal, principalOf, requireConfirmed } from './accounts.js';
import { type Access, ROLES } from './roles.js';

export type { Access };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route under /api/v1 has one. */
    access?: Access;
  }
  interface FastifyRequest {
    /** When its principal was found, in ms of `performance.now()`. */
    admittedAt: number;
  }
  interface FastifyInstance {
    /** Checks a request that has waited since it was admitted once more: its key, session or role may have ended. */
    readmit: (request: FastifyRequest) => Promise<void>;
  }
}

// A body may take ten seconds to arrive, and a turn twenty; what a key or a role loses ends within one.
const ADMITTED_MS = 500;

/**
 * Rejects with FORBIDDEN what the principal may not call, and with CONFIRMATION_REQUIRED what needs a confirmation first. Register
 * it after `authenticate` and `routing`.
 */
export const accessControl = fp(
  (app, _options, done) => {
    app.addHook('onRoute', ({ url, config }) => {
      if (config?.access === undefined) throw new Error(`BUG: ${url} does not say who may call it`);
    });
    app.decorateRequest('admittedAt', 0);
    app.decorate('readmit', async (request) => {
      const { access } = request.routeOptions.config;
      if (access === undefined || performance.now() - request.admittedAt < ADMITTED_MS) return;
      const { userId } = principalOf(request);
      await app.authenticateRequest(request);
      requireAccess(principalOf(request), access);
      if (principalOf(request).userId !== userId) {
        throw forbidden('You may not do this', 'Another account is in use');
      }
    });
    app.addHook('onRequest', async (request) => {
      const { access } = request.routeOptions.config;
      if (access === undefined) return;
      requireAccess(principalOf(request), access);
      request.admittedAt = performance.now();
      if (access.isConfirmed) await requireConfirmed(app.pg, principalOf(request));
    });
    done();
  },
  { name: 'access-control', dependencies: ['authenticate', 'routing', 'postgres'] },
);

/** Throws FORBIDDEN. */
export function requireAccess({ credential }: Principal, access: Access): void {
  if (credential.kind === 'key') {
    if ('person' in access) throw forbidden('This API key may not do this', 'Needs a signed-in person');
    if (access.scope !== 'any') requireScope(credential.scopes, access.scope);
    return;
  }
  const role = 'person' in access ? access.person : access.role;
  if (role === 'operator') {
    if (!credential.isOperator) throw forbidden('You may not do this', 'Needs an operator');
  } else if (credential.role === null || ROLES.indexOf(credential.role) < ROLES.indexOf(role)) {
    throw forbidden('You may not do this', `Needs the role ${role}`);
  }
}

export function isAllowed(principal: Principal, access: Access): boolean {
  try {
    requireAccess(principal, access);
    return true;
  } catch (err) {
    if (err instanceof ApiError) return false;
    throw err;
  }
}

/** The id of the principal's key. Throws FORBIDDEN for a person. */
export function requireKey({ credential }: Principal): string {
  if (credential.kind === 'key') return credential.id;
  throw forbidden('You may not do this', 'Needs an API key');
}

/** Throws FORBIDDEN. */
export function requireScope(scopes: readonly Scope[], scope: Scope): void {
  if (!scopes.some((held) => includesScope(held, scope))) {
    throw forbidden('This API key may not do this', `Needs the scope ${scope}`);
  }
}

function includesScope(held: Scope, scope: Scope): boolean {
  if (held === '*' || held === scope) return true;
  if (held === 'links:write') return scope === 'links:read' || scope === 'links:create';
  return held.endsWith(':write') && held.replace(/write$/, 'read') === scope;
}

export function forbidden(message: string, reason: string): ApiError {
  return new ApiError('FORBIDDEN', { message, details: [{ path: '', message: reason }] });
}
