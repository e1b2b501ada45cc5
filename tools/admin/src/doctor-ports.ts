import { createServer } from 'node:net';
import { ask, baseUrlOf } from './doctor-ask.js';
import { given, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, DoctorContext, Finding } from './doctor-check.js';

type Port = { readonly variable: string; readonly standard: number; readonly hostVariable: string };

// Their defaults, as in services/*/src/config.ts; each listens on 127.0.0.1 unless it is told otherwise.
const PORTS: readonly Port[] = [
  { variable: 'REDIRECT_PORT', standard: 8080, hostVariable: 'REDIRECT_HOST' },
  { variable: 'MANAGEMENT_PORT', standard: 3000, hostVariable: 'MANAGEMENT_HOST' },
  { variable: 'METRICS_PORT', standard: 9464, hostVariable: 'METRICS_HOST' },
];

/** Whether a service of ours answers at each port and is ready; before an install, whether the port is free. */
export const portsCheck: DoctorCheck = {
  name: 'ports',
  run: (context) => Promise.all(PORTS.map((port) => checkPort(port, context))),
};

async function checkPort(port: Port, { env, signal, isBeforeInstall }: DoctorContext): Promise<Finding> {
  const check = port.variable;
  const text = given(env, port.variable);
  const number = text === null ? port.standard : Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    return problem(check, 'is no port', 'Set it to a number from 0 to 65535.');
  }
  if (number === 0) return unknown(check, 'is 0: a free port is taken at the start');
  const host = given(env, port.hostVariable) ?? '127.0.0.1';
  const base = baseUrlOf(host, number);
  const live = await ask(`${base}/-/live`, signal);
  if (live === 'refused') return judgeFree({ check, host, port: number, isBeforeInstall });
  if (live?.status !== 200 || !/^(?:live\n?|\{"status":"live"\})$/.test(live.body)) {
    return problem(
      check,
      `another program answers at ${host}:${number}`,
      `Stop it, or set ${port.variable} to a free port.`,
    );
  }
  const ready = await ask(`${base}/-/ready`, signal);
  if (ready !== null && ready !== 'refused' && ready.status === 200)
    return ok(check, `${host}:${number}: ours, ready`);
  const reason = ready === null || ready === 'refused' ? '' : `: ${ready.body.trim().slice(0, 300)}`;
  return warning(
    check,
    `${host}:${number}: ours, not ready${reason}`,
    'See what it logs; the engines below may say why.',
  );
}

type FreePort = {
  readonly check: string;
  readonly host: string;
  readonly port: number;
  readonly isBeforeInstall: boolean;
};

async function judgeFree({ check, host, port, isBeforeInstall }: FreePort): Promise<Finding> {
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      resolve(err.code ?? err.message);
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(null);
      });
    });
  });
  if (code === null) {
    if (isBeforeInstall) return ok(check, `${host}:${port} is free`);
    return warning(
      check,
      `nothing answers at ${host}:${port}`,
      'Start the service. Where it is not to run yet, add --before-install; where it runs on another host, look there.',
    );
  }
  const todo: Readonly<Record<string, string>> = {
    EACCES: 'Ports below 1024 need CAP_NET_BIND_SERVICE: take a higher one behind the edge.',
    EADDRNOTAVAIL: 'The host is no address of this machine: correct it.',
  };
  return problem(
    check,
    `${host}:${port} cannot be listened on (${code})`,
    todo[code] ?? 'Set it to a free port.',
  );
}
