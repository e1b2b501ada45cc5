import type { Page } from '../reply.js';
import { markup } from './html.js';
import { glyph, layout } from './layout.js';

export type PasswordError = 'wrong' | 'too-many' | 'busy';

/**
 * Returns the form that asks for a link's password. It is sent to its own address, so that the visitor's parameters
 * stay, and names neither the owner nor the target. `slug` stands in for a user name, so that password managers keep
 * the passwords of two links apart.
 */
export function passwordPage(slug: string, error?: PasswordError, waitSeconds = 0): Page {
  const title = error === undefined ? TITLE : `Error: ${TITLE}`;
  const message = error === undefined ? null : errorText(error, waitSeconds);
  const described = error === 'wrong' ? markup` aria-invalid="true" aria-describedby="error"` : null;
  const main = markup`<h1>${TITLE}</h1>
<p>This link is protected by a password.</p>
${message === null ? null : markup`<p class="error" id="error" role="alert">${message}</p>`}
<form method="post">
<input type="text" name="username" autocomplete="username" value="${slug}" hidden>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required${described}>
<button type="submit">Continue</button>
</form>`;
  return layout({ title, glyph: LOCK, main, form: 'link' });
}

const TITLE = 'Enter the password';
const LOCK = glyph(
  markup`<rect x="5" y="11" width="14" height="9" rx="2"></rect><path d="M8 11V8a4 4 0 0 1 8 0v3"></path>`,
);

function errorText(error: PasswordError, waitSeconds: number): string {
  if (error === 'wrong') return 'Wrong password. Try again.';
  if (error === 'busy') return 'Many people are unlocking links right now. Try again in a moment.';
  return `Too many attempts. Try again in ${Math.max(1, Math.ceil(waitSeconds / 60))} min.`;
}
