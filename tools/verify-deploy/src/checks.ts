import type { Check } from './check.js';
import { dependencyAudit } from './checks/dependency-audit.js';

/** Every check there is, in the order in which they run: the quick ones first. */
export const CHECKS: readonly Check[] = [dependencyAudit];
