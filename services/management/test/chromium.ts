import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const COMMAND_LIMIT_MS = 30_000;

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

export type Page = {
  /** Every event of the page so far, as the DevTools protocol names them. */
  readonly events: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Returns what an expression of JavaScript has for a value in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** Returns the name of a Chromium on PATH, or null. */
export function findChromium(): string | null {
  return NAMES.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

/** Opens an empty page in a headless Chromium with a profile of its own. The caller closes it. */
export async function openPage(chromium: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'smartlink-chromium-'));
  const child = spawn(
    chromium,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--window-size=1280,1600'],
      ...[`--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<void>((done) =>
    child.once('exit', () => {
      done();
    }),
  );
  const connection = connect(child.stdio[3] as Writable, child.stdio[4] as Readable);
  try {
    const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const send = (method: string, params: object = {}) => connection.send(method, params, String(sessionId));
    for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(`${domain}.enable`);
    return {
      events: connection.events,
      send,
      evaluate: async (expression) => {
        const answer = await send('Runtime.evaluate', {
          expression,
          returnByValue: true,
          awaitPromise: true,
        });
        return (answer['result'] as { value?: unknown }).value;
      },
      close,
    };
  } catch (err) {
    await close();
    throw err;
  }

  async function close(): Promise<void> {
    // Asked to, it ends its own processes first; killed, it leaves them to write into the profile for a while.
    const deadline = setTimeout(() => child.kill('SIGKILL'), COMMAND_LIMIT_MS);
    connection.send('Browser.close', {}).catch(() => child.kill('SIGKILL'));
    await ended;
    clearTimeout(deadline);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Speaks the DevTools protocol over a pair of pipes: JSON messages, each ended by a NUL. */
function connect(output: Writable, input: Readable) {
  const waiting = new Map<number, (message: Message) => void>();
  const events: { method: string; params: Record<string, unknown> }[] = [];
  let last = 0;
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else if (message.method !== undefined)
        events.push({ method: message.method, params: message.params ?? {} });
    }
  });
  // A browser that is killed breaks its pipes.
  output.on('error', () => undefined);
  return {
    events,
    send(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
      last += 1;
      const id = last;
      output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`${method} was not answered`));
        }, COMMAND_LIMIT_MS);
        // A browser that ends answers no more.
        timer.unref();
        waiting.set(id, ({ result, error }) => {
          clearTimeout(timer);
          waiting.delete(id);
          if (error === undefined) resolve(result ?? {});
          else reject(new Error(`${method}: ${error.message}`));
        });
      });
    },
  };
}
