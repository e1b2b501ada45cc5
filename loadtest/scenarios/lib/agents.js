import { SharedArray } from 'k6/data';
import { AGENTS } from './user-agents.js';
import { createWeighted } from './weighted.js';

// A list of the launcher's own making, when it was given a file; each as likely as the others.
const given = new SharedArray('agents', () => (__ENV.AGENTS_FILE ? JSON.parse(open(__ENV.AGENTS_FILE)) : []));
const draw = createWeighted(AGENTS.map(({ share }) => share));

/** Returns the agent of a visit, `{ text, isBot, platform }`, from a number between 0 and 1. */
export function agentAt(random) {
  return given.length > 0 ? given[Math.floor(random * given.length)] : AGENTS[draw(random)];
}
