import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { z } from 'zod';
import { clientNetwork } from '@smartlink/process/client-address';
import { withTransaction } from '@smartlink/process/database';
import { isToken, tokenDigest } from '@smartlink/smartlink/credentials';
import { mustBe } from '@smartlink/smartlink/document';
import { classifyAgent } from '@smartlink/visits/routing';
import { success } from '../envelope.js';
import { ApiError, fault } from '../errors.js';
import { idField, isSmartlinkId, parseBody } from '../requests.js';
import { CONFIRMED_MINUTES, requireConfirmed, unauthorized } from './accounts.js';
import { addAuditEntry } from './audit.js';
import { createKeyGuesses, tooManyGuesses } from './key-guesses.js';
import { createPasswordCheck, normalizePassword, requireGoodPassword } from './passwords.js';
import {
  findInvitation,
  findLink,
  findMemberships,
  findPerson,
  joinAccount,
  notInvited,
  type OneTimeLink,
  type Person,
  setPassword,
  takeLink,
} from './people.js';
import { addSession, IS_VALID, type SessionPrincipal } from './sessions.js';

const text = (max: number) =>
  z
    .string(mustBe('a string'))
    .min(1, 'Must not be empty')
    .max(max, `Must have at most ${max} characters`)
    .refine((given) => !given.includes('\0'), 'Must not contain NUL');
// Checked before it is hashed; the rules of new passwords are stricter.
const passwordField = text(1_024);
// As the table of people allows them.
const LANGUAGES = ['en', 'az', 'ru', 'tr'] as const;
const BODIES = {
  signIn: z.object({ email: text(254), password: passwordField }, 'Must be an object'),
  change: z.object(
    {
      accountId: idField('Identifier of the account.').optional(),
      language: z.enum(LANGUAGES, `Must be one of ${LANGUAGES.join(', ')}`).optional(),
    },
    'Must be an object',
  ),
  end: z.object(
    {
      sessionId: idField('Identifier of the session.').optional(),
      others: z.literal(true, 'Must be true').optional(),
    },
    'Must be an object',
  ),
  check: z.object({ token: idField('Token of the link.') }, 'Must be an object'),
  redeem: z.object(
    { token: idField('Token of the link.'), password: passwordField.optional() },
    'Must be an object',
  ),
  confirm: z.object({ password: passwordField }, 'Must be an object'),
  password: z.object({ current: passwordField.optional(), next: passwordField }, 'Must be an object'),
};

type SignInOptions = { readonly keyPrefix: string; readonly secret: string };

/**
 * The routes under /auth: sign-in, sessions, one-time links, and changes of a person's own password. `secret` keys the counters
 * of tries.
 */
export function signInRoutes(app: FastifyInstance, options: SignInOptions, done: () => void): void {
  const { pg } = app;
  const context = createSignIn(app, options);
  sessionRoutes(app, context);
  linkRoutes(app, context);
  passwordRoutes(app, context);
  app.get('/setup', async () => success('Setup checked', { needed: await needsSetup(pg) }));
  done();
}

type SignIn = ReturnType<typeof createSignIn>;

function createSignIn(app: FastifyInstance, options: SignInOptions) {
  const { pg, ownSite, passwordHasher: hasher } = app;
  const isPassword = createPasswordCheck({ redis: app.redis, hasher, ...options });

  async function startSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { person, userId }: { readonly person: Person; readonly userId: string | null },
  ) {
    const device = deviceOf(request.headers['user-agent'] ?? '');
    const { id: personId, passwordHash } = person;
    // The session of the cookie that this one replaces.
    await pg.query('delete from sessions where token_sha256 = $1', [
      tokenDigest(ownSite.readCookie(request) ?? ''),
    ]);
    const country = app.clientCountry(request);
    const session = await addSession(pg, { personId, passwordHash, userId, device, country });
    if (session === null) throw unauthorized('Session expired');
    ownSite.setCookie(reply, session.token, session.maxAgeSeconds);
    return describe(pg, person, userId);
  }

  const passwordTry = (request: FastifyRequest, email: string) => ({
    email,
    address: app.clientAddress(request),
  });

  async function requirePassword(
    request: FastifyRequest,
    personId: string,
    password: string,
  ): Promise<Person> {
    const person = await findPerson(pg, { id: personId });
    if (person === null) throw unauthorized('Session expired');
    if (await isPassword(password, person.passwordHash, passwordTry(request, person.email))) return person;
    throw unauthorized('Wrong password');
  }

  return { isPassword, startSession, passwordTry, requirePassword };
}

function sessionRoutes(app: FastifyInstance, { isPassword, startSession, passwordTry }: SignIn): void {
  const { pg, ownSite } = app;
  app.post('/session', async (request, reply) => {
    ownSite.requireSafeSignIn(request);
    const { email, password } = parseBody(BODIES.signIn, request);
    const person = await findPerson(pg, { email });
    // One counter however the e-mail of a person is spelt.
    const counted = passwordTry(request, person?.email ?? email);
    const isRight = await isPassword(password, person?.passwordHash ?? null, counted);
    if (!isRight || person === null) throw unauthorized('Wrong e-mail or password');
    const [account] = await findMemberships(pg, person.id);
    return success('Signed in', await startSession(request, reply, { person, userId: account?.id ?? null }));
  });

  app.get('/session', async (request, reply) => {
    const principal = request.principal as SessionPrincipal | null;
    if (principal === null) {
      if (ownSite.readCookie(request) !== null) ownSite.clearCookie(reply);
      return success('Not signed in', null);
    }
    const { person, userId } = await readSession(pg, principal);
    return success('Signed in', await describe(pg, person, userId));
  });

  app.patch('/session', async (request) => {
    const principal = sessionOf(request);
    const { accountId, language } = parseBody(BODIES.change, request);
    if (accountId === undefined && language === undefined) throw fault('', 'Send accountId or language');
    if (accountId !== undefined) await useAccount(pg, principal, accountId);
    if (language !== undefined) {
      const values = [principal.credential.personId, language];
      await pg.query('update people set language = $2 where id = $1', values);
    }
    const { person, userId } = await readSession(pg, principal);
    return success('Session changed', await describe(pg, person, userId));
  });

  app.delete('/session', async (request, reply) => {
    await pg.query('delete from sessions where id = $1', [sessionOf(request).credential.id]);
    ownSite.clearCookie(reply);
    return success('Signed out', null);
  });

  app.get('/sessions', async (request) => {
    const { id, personId } = sessionOf(request).credential;
    return success('Sessions retrieved', await listSessions(pg, personId, id));
  });

  app.delete('/sessions', async (request) => {
    const { id, personId } = sessionOf(request).credential;
    const { sessionId, others } = parseBody(BODIES.end, request);
    if ((sessionId === undefined) === (others === undefined))
      throw fault('', 'Send either sessionId or others');
    const { rowCount } = await pg.query(
      'delete from sessions where person_id = $1 and case when $2::uuid is null then id <> $3 else id = $2 end',
      [personId, others === true ? null : toUuid(sessionId), id],
    );
    if (others === undefined && rowCount === 0) {
      throw new ApiError('NOT_FOUND', { message: 'Session not found' });
    }
    return success('Sessions ended', null);
  });
}

function linkRoutes(app: FastifyInstance, { isPassword, startSession, passwordTry }: SignIn): void {
  const { pg, ownSite, passwordHasher: hasher } = app;
  const tokens = createKeyGuesses(Date.now);

  /** Throws GONE, or RATE_LIMITED after 60 unknown tokens a minute of one client. */
  async function findOpenLink(request: FastifyRequest, token: string): Promise<OneTimeLink> {
    const guess = tokens.begin(clientNetwork(app.clientAddress(request), 56));
    if (guess.kind === 'refused') throw tooManyGuesses('Too many unknown links', guess.waitMs);
    const link = await (isToken(token) ? findLink(pg, token) : Promise.resolve(null)).catch(
      (err: unknown) => {
        guess.end('failed');
        throw err;
      },
    );
    guess.end(link === null ? 'unknown' : 'valid');
    if (link === null) throw new ApiError('GONE');
    return link;
  }

  app.post('/link/check', async (request) => {
    const { token } = parseBody(BODIES.check, request);
    const { purpose, email } = await findOpenLink(request, token);
    const invitation = purpose === 'invite' ? await findInvitation(pg, token) : null;
    const isSignedIn = invitation !== null && (await isSignedInAs(request, email));
    const needsPassword = purpose !== 'sign-in' && !isSignedIn;
    return success('Link is valid', { purpose, email, needsPassword, invitation });
  });

  async function isSignedInAs(request: FastifyRequest, email: string): Promise<boolean> {
    const principal = request.principal as SessionPrincipal | null;
    if (principal === null) return false;
    const person = await findPerson(pg, { id: principal.credential.personId });
    return person?.email.toLowerCase() === email.toLowerCase();
  }

  /**
   * The new password's hash; null: the password stays. An invitation comes from an Owner of another account, so it signs a
   * person in only by the session or the password that the person has.
   */
  async function readPassword(
    request: FastifyRequest,
    { purpose, email }: OneTimeLink,
    password: string | undefined,
  ): Promise<string | null> {
    if (purpose === 'sign-in') return null;
    const person = purpose === 'invite' ? await findPerson(pg, { email }) : null;
    if (person !== null) {
      if (await isSignedInAs(request, email)) return null;
      if (person.passwordHash === null) throw notInvited();
    }
    if (password === undefined) throw fault('password', 'Required');
    if (person !== null) {
      if (await isPassword(password, person.passwordHash, passwordTry(request, person.email))) return null;
      throw unauthorized('Wrong password');
    }
    requireGoodPassword(password, email, 'password');
    return hasher.hashOfPerson(normalizePassword(password));
  }

  app.post('/link', async (request, reply) => {
    ownSite.requireSafeSignIn(request);
    const { token, password } = parseBody(BODIES.redeem, request);
    const passwordHash = await readPassword(request, await findOpenLink(request, token), password);
    const { person, userId } = await redeem(pg, token, passwordHash);
    return success('Signed in', await startSession(request, reply, { person, userId }));
  });
}

function passwordRoutes(app: FastifyInstance, { startSession, requirePassword }: SignIn): void {
  const { pg, passwordHasher: hasher } = app;
  app.post('/confirm', async (request) => {
    const { id, personId } = sessionOf(request).credential;
    const { password } = parseBody(BODIES.confirm, request);
    await requirePassword(request, personId, password);
    const { rows } = await pg.query<{ until: Date }>(
      `update sessions set confirmed_at = now() where id = $1
       returning confirmed_at + interval '${CONFIRMED_MINUTES} minutes' as until`,
      [id],
    );
    return success('Confirmed', { until: rows[0]?.until ?? null });
  });

  app.post('/password', async (request, reply) => {
    const principal = sessionOf(request);
    const { current, next } = parseBody(BODIES.password, request);
    const { person, userId } = await readSession(pg, principal);
    requireGoodPassword(next, person.email, 'next');
    if (person.passwordHash === null) await requireConfirmed(pg, principal);
    else if (current === undefined) throw fault('current', 'Required');
    else await requirePassword(request, person.id, current);
    const passwordHash = await hasher.hashOfPerson(normalizePassword(next));
    await withTransaction(pg, async (db) => {
      await setPassword(db, person, passwordHash);
      await addAuditEntry(db, { actor: principal.actor, userId: null }, 'person.password', {});
    });
    const changed = { ...person, passwordHash };
    return success('Password changed', await startSession(request, reply, { person: changed, userId }));
  });
}

function sessionOf({ principal }: FastifyRequest): SessionPrincipal {
  if (principal === null) throw unauthorized('Session expired');
  return principal as SessionPrincipal;
}

/** Throws NOT_FOUND for an account of which the person is no member. */
async function useAccount(pg: Pool, { credential }: SessionPrincipal, accountId: string): Promise<void> {
  const { rows } = await pg.query(
    `update sessions set user_id = $2
     where id = $1 and exists (select from memberships where user_id = $2 and person_id = $3)
     returning id`,
    [credential.id, isSmartlinkId(accountId) ? accountId : null, credential.personId],
  );
  if (rows.length === 0) throw new ApiError('NOT_FOUND', { message: 'Account not found' });
}

async function readSession(pg: Pool, { credential }: SessionPrincipal) {
  const person = await findPerson(pg, { id: credential.personId });
  if (person === null) throw unauthorized('Session expired');
  const { rows } = await pg.query<{ userId: string | null }>(
    'select user_id as "userId" from sessions where id = $1',
    [credential.id],
  );
  return { person, userId: rows[0]?.userId ?? null };
}

/** The answer of a sign-in. `account` is the one in use; null: none. */
async function describe(pg: Pool, { passwordHash, ...about }: Person, userId: string | null) {
  const accounts = await findMemberships(pg, about.id);
  const account = accounts.find((each) => each.id === userId) ?? null;
  return { person: { ...about, hasPassword: passwordHash !== null }, account, accounts };
}

// The action of the audit entry of each link that is redeemed.
const SIGNED_IN = 'person.sign-in';

/** Uses the link up and makes what it promises. Throws GONE if another request was first, or the person is disabled. */
function redeem(pg: Pool, token: string, passwordHash: string | null) {
  return withTransaction(pg, async (db) => {
    const link = await takeLink(db, token);
    if (link === null) throw new ApiError('GONE');
    if (link.purpose === 'invite') await joinAccount(db, link, passwordHash);
    const person = await findPerson(db, { email: link.email });
    if (person === null) throw new ApiError('GONE');
    const isNewPassword = link.purpose !== 'invite' && passwordHash !== null;
    if (isNewPassword) await setPassword(db, person, passwordHash);
    const actor = `session ${person.id}`;
    await addAuditEntry(db, { actor, userId: null }, SIGNED_IN, { purpose: link.purpose });
    const [first] = await findMemberships(db, person.id);
    return {
      person: isNewPassword ? { ...person, passwordHash } : person,
      userId: link.userId ?? first?.id ?? null,
    };
  });
}

async function listSessions(pg: Pool, personId: string, currentId: string) {
  const { rows } = await pg.query<{ country: string | null; isCurrent: boolean }>(
    `select sessions.id, device, country, sessions.created_at as "createdAt", last_seen_at as "lastSeenAt",
            sessions.id = $2 as "isCurrent"
     from sessions join people on people.id = sessions.person_id
     where person_id = $1 and ${IS_VALID}
     order by last_seen_at desc, sessions.id limit 100`,
    [personId, currentId],
  );
  return rows.map(({ country, ...session }) => (country === null ? session : { ...session, country }));
}

/** `Firefox on Linux` */
function deviceOf(userAgent: string): string {
  const { browser, os } = classifyAgent(userAgent);
  if (browser === 'other') return os === 'other' ? 'Unknown device' : os;
  return os === 'other' ? browser : `${browser} on ${os}`;
}

// The id that no row has.
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const toUuid = (id = ''): string => (isSmartlinkId(id) ? id : NIL_UUID);

/** Whether no person has a password or has ever signed in, and there are no demo links. */
async function needsSetup(pg: Pool): Promise<boolean> {
  const { rows } = await pg.query<{ needed: boolean }>(
    `select not exists (select from people where password_hash is not null)
        and not exists (select from audit_entries where user_id is null and action = '${SIGNED_IN}')
        and not exists (select from slugs where key = 'demolanding') as needed`,
  );
  return rows[0]?.needed === true;
}
