import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Of pino's levels those that an operator must read. */
const LEVELS: readonly string[] = ['warn', 'error', 'fatal'];

export type LogMessage = { readonly level: string; readonly message: string; readonly file: string };

export type FoundMessages = {
  readonly messages: readonly LogMessage[];
  /** Where a line is logged whose message is not fixed, as `file:line`. */
  readonly unfixed: readonly string[];
};

/** Returns the sources whose lines come out of a service: paths from the folder of the checkout, without tests. */
export function serviceSources(root: string): readonly string[] {
  return sourcesIn(root, ['services', 'libs']);
}

/** Returns the sources of the packages in these folders of the checkout, without tests. */
export function sourcesIn(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name, 'src')))
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted();
}

/** Returns the messages that the files log at warn, error and fatal, with where each stands. */
export function collectMessages(root: string, files: readonly string[]): FoundMessages {
  const all = files.map((file) => messagesOf(file, readFileSync(path.join(root, file), 'utf8')));
  return {
    messages: all.flatMap(({ messages }) => messages),
    unfixed: all.flatMap(({ unfixed }) => unfixed),
  };
}

/**
 * Returns the messages that one source logs. A message is the last argument of `log.warn` and its like; it is a text, or a
 * parameter of a function of the same file, which is then looked for where that is called.
 */
export function messagesOf(file: string, text: string): FoundMessages {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const messages: LogMessage[] = [];
  const unfixed: string[] = [];
  for (const call of callsIn(source)) {
    const level = levelOf(call);
    if (level === null) continue;
    const fixed = textsOf(call.arguments.at(-1), source);
    if (fixed === null) {
      const { line } = source.getLineAndCharacterOfPosition(call.getStart());
      unfixed.push(`${file}:${line + 1}`);
    } else messages.push(...fixed.map((message) => ({ level, message, file })));
  }
  return { messages, unfixed };
}

/** Returns the level of `log.warn(…)`, `app.log.error(…)`, `feedLog.fatal(…)`; null for any other call. */
function levelOf({ expression }: ts.CallExpression): string | null {
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const level = expression.name.text;
  const owner = expression.expression.getText().split('.').at(-1) ?? '';
  return LEVELS.includes(level) && /^(?:log|logger)$|Log$|Logger$/.test(owner) ? level : null;
}

/** Returns what an argument may say; null when that is not written down in this file. */
function textsOf(argument: ts.Expression | undefined, source: ts.SourceFile): readonly string[] | null {
  if (argument === undefined) return null;
  if (ts.isStringLiteralLike(argument)) return [argument.text];
  if (!ts.isIdentifier(argument)) return null;
  const owner = findFunction(argument);
  const place = owner?.parameters.findIndex((parameter) => parameter.name.getText() === argument.text) ?? -1;
  if (owner?.name === undefined || place < 0) return null;
  const name = owner.name.text;
  const calls = callsIn(source).filter((call) => call.expression.getText() === name);
  const texts = calls.map((call) => call.arguments[place]);
  if (texts.length === 0) return null;
  return texts.every((text) => text !== undefined && ts.isStringLiteralLike(text))
    ? texts.map((text) => text.text)
    : null;
}

function findFunction(node: ts.Node): ts.FunctionDeclaration | null {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent)
    if (ts.isFunctionDeclaration(at)) return at;
  return null;
}

function callsIn(root: ts.Node): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, look);
  };
  look(root);
  return calls;
}

/** Returns the rows of the tables between the marks of docs/logs.md, as `level message`. */
export function documentedMessages(markdown: string): readonly string[] {
  const marked = markdown.split(/<!-- \/?messages -->/).filter((_, part) => part % 2 === 1);
  return marked.flatMap((part) =>
    Array.from(
      part.matchAll(/^\|\s*`([^`]+)`\s*\|\s*(\w+)\s*\|/gm),
      ([, message, level]) => `${level ?? ''} ${message ?? ''}`,
    ),
  );
}

/**
 * Returns the texts between the marks of docs/logs.md that programs print at their start, each as its parts: `…` stands for
 * what differs.
 */
export function documentedTexts(markdown: string): readonly (readonly string[])[] {
  const marked = markdown.split(/<!-- \/?printed -->/)[1] ?? '';
  return Array.from(marked.matchAll(/^\|\s*`([^`]+)`\s*\|/gm), ([, text = '']) =>
    text
      .split('…')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}
