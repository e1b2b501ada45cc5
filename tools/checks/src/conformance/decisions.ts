import { ACCOUNTS } from './decisions-accounts.js';
import { FIGURES } from './decisions-figures.js';
import { HTTP } from './decisions-http.js';
import { LINKS } from './decisions-links.js';
import { ROUTING } from './decisions-routing.js';
import { URLS } from './decisions-urls.js';
import { VALUES } from './decisions-values.js';
import type { Part } from './statement.js';

/** What decisions.md says of the management API. */
export const DECISIONS: Part = {
  title: 'Our decisions where it is silent',
  sections: [...HTTP, ...ACCOUNTS, ...LINKS, ...VALUES, ...URLS, ...ROUTING, ...FIGURES],
};
