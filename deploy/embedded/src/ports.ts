import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StackError } from './stack-error.js';

// Below the ephemeral ports of operating systems, which another program could get between the probe and the start of the
// program that is to listen.
const PORT_MIN = 20_000;
const PORT_END = 30_000;
const TRIES = 100;

/** A free loopback port outside the ephemeral range. */
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
 * Throws StackError, naming `variable`, when the port is not free. The probe binds without SO_REUSEPORT: the redirect
 * service itself would silently share the port of another program that allows it.
 */
export async function requireFreePort(options: {
  host: string;
  port: number;
  variable: string;
}): Promise<void> {
  const { host, port, variable } = options;
  try {
    await probe(host, port);
  } catch (err) {
    const { code = 'unknown' } = err as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StackError(
        `Port ${port} is taken by another program: stop it, or choose another port with ${variable}, as in "${variable}=${port + 1} npm start".`,
      );
    }
    throw new StackError(
      code === 'EACCES'
        ? `Port ${port} needs special rights: choose one above 1023 with ${variable}.`
        : `Cannot listen on ${host}, port ${port} (${code}): change ${variable} or its host variable.`,
    );
  }
}

/** Throws StackError when two variables name the same port: the probe would find it free for both. */
export function requireDistinctPorts(ports: Readonly<Record<string, number>>): void {
  const owners = new Map<number, string>();
  for (const [variable, port] of Object.entries(ports)) {
    const owner = owners.get(port);
    if (port !== 0 && owner !== undefined) {
      throw new StackError(`${owner} and ${variable} are both ${port}: change one of them.`);
    }
    owners.set(port, variable);
  }
}

async function probe(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
