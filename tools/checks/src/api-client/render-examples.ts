/**
 * Returns TypeScript that runs the examples of the client's README, in their order, against a service: so they are
 * compiled with everything else, and a test can run them. The first block is what the others go on with. Throws when
 * there is no example.
 */
export function renderExamples(readme: string): string {
  const [first, ...rest] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
  if (first === undefined) throw new Error('The README has no example');
  const [imports = '', quickStart = ''] = splitImports(first);
  const body = [
    quickStart
      // What a program has of its own.
      .replace(/baseUrl: '.*?'/, 'baseUrl')
      .replace(/apiKey: process.env.*/, 'apiKey,'),
    ...rest.map((code) => `{\n${code}}\n`),
  ];
  return (
    `${imports}\n` +
    `/** Runs every example of the README against a service; \`console\` takes what they print. */\n` +
    `export async function runExamples(\n` +
    `  baseUrl: string,\n  apiKey: string,\n  console: { log: (...values: unknown[]) => void },\n` +
    `): Promise<void> {\n${body.join('\n')}}\n`
  );
}

function splitImports(code: string): string[] {
  const at = code.indexOf('\n\n');
  return [code.slice(0, at + 1), code.slice(at + 2)];
}
