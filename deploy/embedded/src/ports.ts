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

export type WantedPort = { readonly variable: string; readonly host: string; readonly port: number };

/** The port itself, or a free one for 0. Throws StackError when it is in use or belongs to an earlier one of `wanted`. */
export async function choosePorts(wanted: readonly WantedPort[]): Promise<readonly number[]> {
  for (const [index, { variable, port }] of wanted.entries()) {
    const owner = wanted.slice(0, index).find((other) => port !== 0 && other.port === port);
    if (owner)
      throw new StackError(`${owner.variable} and ${variable} are both ${port}: change one of them.`);
  }
  const ports: number[] = [];
  for (const each of wanted) {
    if (each.port !== 0) await requireFreePort(each);
    ports.push(each.port || (await freePort()));
  }
  return ports;
}

// The probe binds without SO_REUSEPORT: the redirect service itself would silently share the port of another program that
// allows it.
async function requireFreePort({ variable, host, port }: WantedPort): Promise<void> {
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

async function probe(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
