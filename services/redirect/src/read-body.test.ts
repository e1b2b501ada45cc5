import { expect, test } from 'vitest';
import { readBody } from './read-body.js';
import type { BodySource } from './read-body.js';

function createTrial(announcedBytes = 0, deadlineMs?: number) {
  let give: (chunk: ArrayBuffer, isLast: boolean) => void = () => undefined;
  const source: BodySource = {
    res: {
      onData: (handler) => {
        give = handler;
      },
    },
    onAbort: null,
  };
  const body = readBody(source, announcedBytes, deadlineMs);
  const send = (text: string, isLast: boolean) => {
    // The library takes its memory back as soon as the handler returns.
    const chunk = new TextEncoder().encode(text);
    give(chunk.buffer, isLast);
    chunk.fill(0);
  };
  return { source, body, send };
}

const statusOf = async (body: Promise<unknown>) => {
  const settled = await body;
  return (settled as { head: { status: string } }).head.status;
};

test('a body that comes in pieces is one text', async () => {
  const { body, send } = createTrial();
  send('password=', false);
  send('ə', true);
  expect(await body).toBe('password=ə');
});

test('one that is too large is refused, announced or not', async () => {
  expect(await statusOf(createTrial(4_097).body)).toBe('413 Content Too Large');
  const { body, send } = createTrial();
  send('x'.repeat(4_096), false);
  send('x', true);
  expect(await statusOf(body)).toBe('413 Content Too Large');
});

test('one that does not come to its end is not waited for', async () => {
  const slow = createTrial(0, 1);
  slow.send('password', false);
  expect(await statusOf(slow.body)).toBe('408 Request Timeout');
  const aborted = createTrial();
  aborted.source.onAbort?.();
  expect(await statusOf(aborted.body)).toBe('408 Request Timeout');
});
