import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

/** Writes `markdown` to `file`, formatted as the project formats Markdown. */
export async function writePage(file: string, markdown: string): Promise<void> {
  const settings = await resolveConfig(file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await format(markdown, { ...settings, parser: 'markdown' }));
}
