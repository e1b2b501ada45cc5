import { readFileSync, writeFileSync } from 'node:fs';
import { isbot } from 'isbot';
import { UsageError } from './settings.js';

/**
 * Reads a tab-separated file whose last column are User-Agents (lines that begin with # are none) and writes them to
 * `target` as k6 reads them. Returns how many there are. Throws UsageError when there are none that can be sent.
 */
export function convertAgentsFile(file: string, target: string): number {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (err) {
    throw new UsageError(`--user-agents ${file}: ${err instanceof Error ? err.message : String(err)}`);
  }
  const agents = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t').at(-1) ?? '')
    .filter(isSendable)
    // What such an agent would get of an App link is not for us to say.
    .map((text) => ({ text, isBot: isbot(text), platform: '' }));
  if (agents.length === 0)
    throw new UsageError(`--user-agents ${file}: it has no User-Agent that can be sent`);
  writeFileSync(target, JSON.stringify(agents));
  return agents.length;
}

// A header value is visible ASCII with spaces inside; Go sends more, but in another encoding than it was read in.
function isSendable(userAgent: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(userAgent);
}
