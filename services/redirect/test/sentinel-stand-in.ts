import { type AddressInfo, createServer, type Socket } from 'node:net';

export type SentinelStandIn = {
  readonly port: number;
  /** From now on who asks for the master waits. */
  readonly hold: () => void;
  /** How many wait for the master's address. */
  readonly held: () => number;
  /** Tells all who listen that there is another master; resolves when each of them has closed that connection. */
  readonly switchMaster: () => Promise<void>;
  /** Answers who waits, and from now on whoever asks. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
};

/**
 * Starts what speaks as much of a sentinel's protocol (https://redis.io/docs/latest/develop/reference/sentinel-clients) as a
 * client needs to find the master, which is at `masterPort` here for good. A real one cannot be told to answer late. The
 * caller closes it.
 */
export async function startSentinelStandIn(masterPort: number): Promise<SentinelStandIn> {
  const master = `*2\r\n$9\r\n127.0.0.1\r\n${bulk(String(masterPort))}`;
  const sockets = new Set<Socket>();
  const listeners = new Set<Socket>();
  const waiting = new Set<Socket>();
  let isHeld = false;

  const answer = (socket: Socket, [name = '', ...args]: readonly string[]): void => {
    const command = `${name} ${args[0] ?? ''}`.toLowerCase();
    if (command === 'sentinel get-master-addr-by-name') {
      if (isHeld) waiting.add(socket);
      else socket.write(master);
    } else if (command === 'sentinel sentinels') {
      socket.write('*0\r\n');
    } else if (command === 'subscribe +switch-master') {
      listeners.add(socket);
      socket.write(`*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`);
    } else {
      // HELLO would have answers and messages of the third version of the protocol follow.
      socket.write(command.startsWith('hello') ? "-ERR unknown command 'HELLO'\r\n" : '+OK\r\n');
    }
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let read = readCommand(text); read !== null; read = readCommand(text)) {
        text = text.slice(read.length);
        answer(socket, read.words);
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const set of [sockets, listeners, waiting]) set.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
    },
    held: () => waiting.size,
    async switchMaster() {
      const closed = [...listeners].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      const message = `*3\r\n${bulk('message')}${bulk('+switch-master')}${bulk('main 127.0.0.1 1 127.0.0.1 2')}`;
      for (const socket of listeners) socket.write(message);
      await Promise.all(closed);
    },
    release: () => {
      isHeld = false;
      for (const socket of waiting) socket.write(master);
      waiting.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;

/** Returns the first whole command in `text` and how long it is: an array of bulk strings. */
function readCommand(text: string): { readonly words: readonly string[]; readonly length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return null;
  const words: string[] = [];
  let at = head[0].length;
  for (let left = Number(head[1]); left > 0; left -= 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (size === null) return null;
    at += size[0].length;
    const end = at + Number(size[1]);
    if (text.length < end + 2) return null;
    words.push(text.slice(at, end));
    at = end + 2;
  }
  return { words, length: at };
}
