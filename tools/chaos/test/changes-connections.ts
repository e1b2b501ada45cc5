import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { openVisitor } from '../../../services/redirect/test/changes-visitor.js';
import type { Visitor } from '../../../services/redirect/test/changes-visitor.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';

const CONNECTIONS_MAX = 200;
const IDLE_MAX_MS = 4_000;

/**
 * Keeps a visitor of each process, and opens others after a while without visits: the service closes connections on which
 * nothing comes for 10 s. The caller closes it.
 */
export function keepVisitors(redirect: Redirect) {
  let kept: readonly Visitor[] = [];
  let usedAt = Number.NEGATIVE_INFINITY;
  const close = (): void => {
    for (const visitor of kept) visitor.close();
    kept = [];
  };
  return {
    close,
    async open(): Promise<readonly Visitor[]> {
      if (performance.now() - usedAt > IDLE_MAX_MS) {
        close();
        kept = await openVisitorOfEach(redirect);
      }
      usedAt = performance.now();
      return kept;
    },
  };
}

/**
 * Opens one connection to each process of a redirect service. The system deals connections out to the processes as it
 * likes and each stays where it is, so they are opened until everyone has one. The caller closes them.
 */
async function openVisitorOfEach(redirect: Redirect): Promise<readonly Visitor[]> {
  const workers = redirect.workers();
  const visitors = new Map<number, Visitor>();
  for (let opened = 0; visitors.size < workers.length; opened += 1) {
    if (opened === CONNECTIONS_MAX)
      throw new Error(`${visitors.size} of ${workers.length} processes are reached`);
    const visitor = await openVisitor(redirect.port);
    // It has been taken by its process when it is answered.
    await visitor.visit('-');
    const worker = findOwner(workers, redirect.port, visitor.localPort);
    if (worker === undefined || visitors.has(worker)) visitor.close();
    else visitors.set(worker, visitor);
  }
  return [...visitors.values()];
}

// proc_pid_net(5): addresses as hexadecimal `<address>:<port>`, local before remote; the inode is the tenth column.
const LOCAL = 1;
const REMOTE = 2;
const INODE = 9;

/** Returns which of `pids` holds the connection from `remotePort` to `localPort`. */
function findOwner(pids: readonly number[], localPort: number, remotePort: number): number | undefined {
  const portOf = (address = '') => parseInt(address.slice(address.indexOf(':') + 1), 16);
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((columns) => portOf(columns[LOCAL]) === localPort && portOf(columns[REMOTE]) === remotePort)?.[
    INODE
  ];
  return pids.find((pid) => openFiles(pid).includes(`socket:[${inode ?? ''}]`));
}

function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      // Closed since it was listed.
      return [];
    }
  });
}
