import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StackError } from './stack-error.js';

// Below what systems hand out by themselves, to connections and to who asks for any port. One of those could be given to
// somebody else between this probe and the listening of the program it is for.
const PORT_MIN = 20_000;
const PORT_END = 30_000;
const TRIES = 100;

/** Returns a port of the loopback address that nobody listened on a moment ago, and that the system gives to nobody. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_END);
    try {
      await probe('127.0.0.1', port);
      return port;
    } catch (err) {
      if (tries === TRIES) throw err;
    }
  }
}

/**
 * Throws StackError, naming `variable`, when the port cannot be listened on. The probe binds without SO_REUSEPORT:
 * the redirect service's own listen would silently share the port of another program that allows it.
 */
export async function requireFreePort(options: {
  host: string;
  port: number;
  variable: string;
}): Promise<void> {
  try {
    await probe(options.host, options.port);
  } catch (err) {
    throw new StackError(explain(options, (err as NodeJS.ErrnoException).code ?? 'unknown'));
  }
}

/** Listens for a moment; rejects when that cannot be done. */
async function probe(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

/** Throws StackError when two variables name one port: each would be found free, and one service not start. */
export function requireDistinctPorts(ports: Readonly<Record<string, number>>): void {
  const owners = new Map<number, string>();
  for (const [variable, port] of Object.entries(ports)) {
    const owner = owners.get(port);
    if (port !== 0 && owner !== undefined) {
      throw new StackError(`${owner} and ${variable} are both ${port}: give one of them another port.`);
    }
    owners.set(port, variable);
  }
}

function explain(options: { host: string; port: number; variable: string }, code: string): string {
  const { host, port, variable } = options;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program: stop it, or choose another port with ${variable}, as in "${variable}=${port + 1} npm start".`;
  }
  if (code === 'EACCES') return `Port ${port} needs special rights: choose one above 1023 with ${variable}.`;
  return `Cannot listen on ${host}, port ${port} (${code}): change ${variable} or its host variable.`;
}
