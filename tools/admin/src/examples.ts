/** Returns the end of a command's help: lines as they are typed, each given from the first word after `admin --`. */
export function examples(...lines: readonly string[]): string {
  const typed = lines.map((line) => `  npm run --silent admin -- ${line}`);
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${typed.join('\n')}`;
}
