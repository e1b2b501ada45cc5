import { ENDPOINTS } from './specification-endpoints.js';
import { ERRORS } from './specification-errors.js';
import { MENU } from './specification-menu.js';
import { PAGES } from './specification-pages.js';
import { RESOURCES } from './specification-resources.js';
import type { Part } from './statement.js';

/** What management-api.md says, in its order. */
export const SPECIFICATION: Part = {
  title: 'The specification of the management API',
  sections: [...RESOURCES, ...PAGES, ...MENU, ...ENDPOINTS, ...ERRORS],
};
