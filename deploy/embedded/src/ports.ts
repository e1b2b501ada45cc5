import { createServer } from 'node:net';
import { StackError } from './stack-error.js';

/** Returns a port of the loopback address that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(address === null || typeof address === 'string' ? 0 : address.port);
    });
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  return port;
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
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: options.host, port: options.port, exclusive: true }, resolve);
    });
  } catch (err) {
    throw new StackError(explain(options, (err as NodeJS.ErrnoException).code ?? 'unknown'));
  }
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
