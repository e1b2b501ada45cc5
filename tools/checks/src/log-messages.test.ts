import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  collectMessages,
  documentedMessages,
  documentedTexts,
  messagesOf,
  serviceSources,
  sourcesIn,
} from './log-messages.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const found = collectMessages(ROOT, serviceSources(ROOT));
const logged = [...new Set(found.messages.map(({ level, message }) => `${level} ${message}`))].toSorted();
const page = readFileSync(path.join(ROOT, 'docs/logs.md'), 'utf8');
const documented = documentedMessages(page).toSorted();

test('docs/logs.md lists exactly the warnings, errors and fatal lines of both services, each once', () => {
  expect(logged.length).toBeGreaterThan(40);
  expect(documented).toEqual(logged);
});

test('every warning, error and fatal line has a fixed message', () => {
  expect(found.unfixed).toEqual([]);
});

test('what docs/logs.md says that programs print stands in their sources', () => {
  const sources = sourcesIn(ROOT, ['services', 'libs', 'deploy'])
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
    .join('\n');
  const texts = documentedTexts(page);
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.flat().filter((part) => !sources.includes(part))).toEqual([]);
});

test('a message is found however it is logged', () => {
  const { messages, unfixed } = messagesOf(
    'planted.ts',
    `log.warn('a'); app.log.error({ err }, 'b'); feedLog.fatal({}, 'c'); log.info('not this one');
    function tell(err: unknown, message: string) { deps.log.error({ err }, message); }
    tell(err, 'd'); tell(err, 'e');`,
  );
  expect(messages.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn a',
    'error b',
    'fatal c',
    'error d',
    'error e',
  ]);
  expect(unfixed).toEqual([]);
});

test('a message that is put together, or comes from elsewhere, is told with its line', () => {
  const planted = 'log.warn(`${reason}; goes on`);\nlog.fatal(reason);\nlog.error({ err });';
  expect(messagesOf('planted.ts', planted).unfixed).toEqual(['planted.ts:1', 'planted.ts:2', 'planted.ts:3']);
});
