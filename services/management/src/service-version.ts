import { readFileSync } from 'node:fs';

/** Returns the version in this service's package.json, which stands one folder above, in sources and builds alike. */
export function readServiceVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
