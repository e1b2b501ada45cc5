import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { failureCode, failureMessage } from '@smartlink/process/database';
import type { Env } from '../cli/terminal.js';
import { given, SERVICES, valueOf } from '../config/config.js';
import {
  ANSWER_LIMIT_MS,
  fetchAnswer,
  baseUrlOf,
  type DoctorCheck,
  type DoctorContext,
  ok,
  okOrWarning,
  problem,
  unknown,
  type Verdict,
  warning,
} from './check.js';

/** Whether a Smartlink service answers at each port and is ready; before an install, whether the port is free. */
export const portsCheck: DoctorCheck = {
  name: 'ports',
  async run(context) {
    const { env } = context;
    const managementHost = valueOf('management', 'MANAGEMENT_HOST', env);
    const metricsHost = valueOf('redirect', 'METRICS_HOST', env);
    const ports = [
      ['REDIRECT_PORT', valueOf('redirect', 'REDIRECT_PORT', env), valueOf('redirect', 'REDIRECT_HOST', env)],
      ['MANAGEMENT_PORT', valueOf('management', 'MANAGEMENT_PORT', env), managementHost],
      ['METRICS_PORT', valueOf('redirect', 'METRICS_PORT', env), metricsHost],
      ['MANAGEMENT_METRICS_PORT', valueOf('management', 'MANAGEMENT_METRICS_PORT', env), metricsHost],
    ] as const;
    const verdicts = ports.map(
      async ([name, port, host]) => [name, await judgePort(name, port, host, context)] as const,
    );
    return Object.fromEntries(await Promise.all(verdicts));
  },
};

async function judgePort(
  variable: string,
  port: number | undefined,
  host = '',
  { signal, isBeforeInstall }: DoctorContext,
): Promise<Verdict> {
  if (port === undefined) return problem('is no port', 'Set it to a number from 0 to 65535.');
  if (port === 0) return unknown('is 0: a free port is taken at the start');
  const at = `${host}:${port}`;
  const base = baseUrlOf(host, port);
  const live = await fetchAnswer(`${base}/-/live`, signal);
  if (live === 'refused') return judgeUnused(host, port, isBeforeInstall);
  if (live?.status !== 200 || !/^(?:live\n?|\{"status":"live"\})$/.test(live.body)) {
    return problem(`another program answers at ${at}`, `Stop it, or set ${variable} to a free port.`);
  }
  const ready = await fetchAnswer(`${base}/-/ready`, signal);
  const answer = ready === 'refused' ? null : ready;
  if (answer?.status === 200) return ok(`${at}: ours, ready`);
  const reason = answer === null ? '' : `: ${answer.body.trim().slice(0, 300)}`;
  return warning(`${at}: ours, not ready${reason}`, 'See what it logs; the engines below may say why.');
}

async function judgeUnused(host: string, port: number, isBeforeInstall: boolean): Promise<Verdict> {
  const at = `${host}:${port}`;
  const code = await tryListening(host, port);
  if (code === null) {
    const todo =
      'Start the service. Where it is not to run yet, add --before-install; where it runs on another host, look there.';
    return isBeforeInstall ? ok(`${at} is free`) : warning(`nothing answers at ${at}`, todo);
  }
  const todo: Readonly<Record<string, string>> = {
    EACCES: 'Ports below 1024 need CAP_NET_BIND_SERVICE: take a higher one behind the edge.',
    EADDRNOTAVAIL: 'The host is no address of this machine: correct it.',
  };
  return problem(`${at} cannot be listened on (${code})`, todo[code] ?? 'Set it to a free port.');
}

/** The code of the fault; null if the port is free. */
async function tryListening(host: string, port: number): Promise<string | null> {
  const server = createServer().listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
    return null;
  } catch (err) {
    return failureCode(err);
  } finally {
    server.close();
  }
}

const DAY_MS = 86_400_000;
const CERTIFICATE_WARNING_DAYS = 21;

/** The address that visitors see: whether it leads to a redirect service, its certificate, and the trusted proxies. */
export const publicCheck: DoctorCheck = {
  name: 'public address',
  async run(context) {
    const { publicUrl } = context;
    if (publicUrl === undefined || !URL.canParse(publicUrl)) {
      return {
        'public address': unknown('is not known', 'Set PUBLIC_BASE_URL, or give --public-url.'),
        TRUSTED_PROXIES: judgeProxies(context, null),
      };
    }
    const url = new URL(publicUrl);
    return {
      'public address': await judgeAnswer(url, context.signal),
      ...(url.protocol === 'https:' && { certificate: await judgeCertificate(url, context) }),
      TRUSTED_PROXIES: judgeProxies(context, url),
    };
  },
};

// A slug that cannot exist, whose visit is not counted. Its page has headers that hardly another program's 404 has
// together.
const IMPOSSIBLE_SLUG = '/-';
const OURS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'strict-origin-when-cross-origin' } as const;

async function judgeAnswer(url: URL, signal: AbortSignal): Promise<Verdict> {
  try {
    const response = await fetch(new URL(IMPOSSIBLE_SLUG, url), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      redirect: 'manual',
    });
    await response.body?.cancel();
    const isOurs = Object.entries(OURS).every(([name, value]) => response.headers.get(name) === value);
    if (response.status === 404 && isOurs) return ok(`${url.origin} answers as redirect does`);
    const seen =
      response.status === 404
        ? `${url.origin} answers an unknown address with a page that is not redirect's, or without its headers`
        : `${url.origin} answers an unknown address with ${response.status}, and redirect with 404`;
    return warning(seen, 'See that the edge hands all paths to redirect as they are.');
  } catch (err) {
    const cause = err instanceof Error ? (err.cause ?? err) : err;
    const seen = `${url.origin} cannot be reached from here: ${failureMessage(cause)}`;
    return warning(seen, 'See DNS, the edge and its certificate; from inside it may be intended.');
  }
}

async function judgeCertificate(url: URL, { now, signal }: DoctorContext): Promise<Verdict> {
  // A faulty certificate is accepted, since its fault is to be reported. Nothing is sent over the connection.
  const socket = connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 443),
    ...(/^[\d.]+$|^\[/.test(url.hostname) ? {} : { servername: url.hostname }),
    rejectUnauthorized: false,
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  try {
    await once(socket, 'secureConnect', { signal: limit });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now()) / DAY_MS);
    return judgeEnd(days, socket.authorized ? null : String(socket.authorizationError));
  } catch (err) {
    return unknown(limit.aborted ? 'the edge does not answer' : failureMessage(err));
  } finally {
    socket.destroy();
  }
}

function judgeEnd(days: number, fault: string | null): Verdict {
  const todo = 'Renew it, and see why it was not renewed automatically.';
  if (days < 0) return problem(`ended ${-days} days ago`, todo);
  if (fault !== null) return problem(`browsers refuse it: ${fault}`, 'Serve the whole chain for this name.');
  return okOrWarning(days >= CERTIFICATE_WARNING_DAYS, `good for ${days} more days`, todo);
}

/** Judges TRUSTED_PROXIES by the public address: no request can show whom redirect trusts without telling strangers. */
function judgeProxies({ env }: DoctorContext, url: URL | null): Verdict {
  const ranges = (given(env, 'TRUSTED_PROXIES') ?? '').split(',').flatMap((range) => range.trim() || []);
  if (ranges.includes('0.0.0.0/0') || ranges.includes('::/0')) {
    const todo = 'List only your edge: now each visitor chooses country, identity and limits.';
    return problem('trusts every address', todo);
  }
  if (url === null) return unknown(`${ranges.length} ranges; how visitors come is not known`);
  const isDirect =
    url.protocol === 'http:' && (url.port || '80') === String(valueOf('redirect', 'REDIRECT_PORT', env));
  if (isDirect && ranges.length === 0) return ok("empty, and visitors come to redirect's own port");
  if (isDirect) {
    const todo =
      'Leave it empty without a proxy in front of redirect, or block requests that bypass the proxy.';
    return warning(`${ranges.join(', ')}, and visitors come to redirect's own port`, todo);
  }
  if (ranges.length > 0) {
    const todo = 'see that a visit by telephone shows the right country (admin tail)';
    return ok(`${ranges.join(', ')}: ${todo}`);
  }
  if (!isRedirectHere(env)) {
    const todo = 'Run the doctor where redirect runs, with its variables.';
    return unknown('no variable of redirect is set here', todo);
  }
  const todo =
    "Name the edge's addresses: until then all visitors have its address, one country and one limit of password tries.";
  return problem(`empty, and visitors come by ${url.origin}, which is not redirect's own port`, todo);
}

function isRedirectHere(env: Env): boolean {
  const others = new Set(Object.keys(SERVICES.management.shape));
  const own = Object.keys(SERVICES.redirect.shape).filter((name) => !others.has(name));
  return own.some((name) => given(env, name) !== null);
}
