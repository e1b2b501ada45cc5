import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

/** Plots of a page, by the name of their file without `.svg`. */
export type Plots = Readonly<Record<string, string>>;

/** Writes `markdown` to `file`, formatted as the project formats Markdown, and its plots beside it. */
export async function writePage(file: string, markdown: string, plots: Plots = {}): Promise<void> {
  // A page that goes elsewhere, by --out, is to look the same.
  const settings = await resolveConfig(import.meta.filename);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await format(markdown, { ...settings, parser: 'markdown' }));
  for (const [name, svg] of Object.entries(plots))
    writeFileSync(path.join(path.dirname(file), `${name}.svg`), svg);
}
