import type { Answer } from './answers.js';
import type { Call } from './call.js';
import type { OneTimeLink, Session, SessionDevice } from './session-operations.js';
import type { CallOptions } from './settings.js';

/** Sign-in of people; for a client with the session of the browser. */
export function sessionMethods(call: Call) {
  return {
    /** The session of the browser; null without one. */
    get: (options?: CallOptions): Promise<Answer<Session | null>> => call('readSession', {}, options),

    signIn: (email: string, password: string, options?: CallOptions): Promise<Answer<Session>> =>
      call('signIn', { body: { email, password } }, options),

    signOut: (options?: CallOptions): Promise<Answer<null>> => call('signOut', {}, options),

    /** Changes the account in use. */
    useAccount: (accountId: string, options?: CallOptions): Promise<Answer<Session>> =>
      call('updateSession', { body: { accountId } }, options),

    /** Changes the language of the person. */
    setLanguage: (language: string, options?: CallOptions): Promise<Answer<Session>> =>
      call('updateSession', { body: { language } }, options),

    /** All browsers in which the person is signed in. */
    list: (options?: CallOptions): Promise<Answer<readonly SessionDevice[]>> =>
      call('listSessions', {}, options),

    /** Signs a browser out. */
    end: (sessionId: string, options?: CallOptions): Promise<Answer<null>> =>
      call('endSessions', { body: { sessionId } }, options),

    /** Signs all other browsers out. */
    endOthers: (options?: CallOptions): Promise<Answer<null>> =>
      call('endSessions', { body: { others: true } }, options),

    /** What a one-time link is for. Does not use it up. */
    checkLink: (token: string, options?: CallOptions): Promise<Answer<OneTimeLink>> =>
      call('checkLink', { body: { token } }, options),

    /** Uses a one-time link up, which signs in. */
    redeemLink: (
      token: string,
      password: string | undefined,
      options?: CallOptions,
    ): Promise<Answer<Session>> =>
      call('redeemLink', { body: password === undefined ? { token } : { token, password } }, options),

    /** Confirms the password; for the next ten minutes calls do not fail with CONFIRMATION_REQUIRED. */
    confirm: (password: string, options?: CallOptions): Promise<Answer<{ readonly until: string }>> =>
      call('confirm', { body: { password } }, options),

    /** Changes the person's password. `current` is undefined for a person without one. */
    changePassword: (
      current: string | undefined,
      next: string,
      options?: CallOptions,
    ): Promise<Answer<Session>> =>
      call('changePassword', { body: current === undefined ? { next } : { current, next } }, options),

    /** Whether the installation still waits for its first person. */
    setup: (options?: CallOptions): Promise<Answer<{ readonly needed: boolean }>> =>
      call('readSetup', {}, options),
  };
}
