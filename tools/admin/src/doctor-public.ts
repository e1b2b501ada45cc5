import { connect } from 'node:tls';
import { ANSWER_LIMIT_MS, given, ok, problem, unknown, warning } from './doctor-check.js';
import type { DoctorCheck, DoctorContext, Finding } from './doctor-check.js';
import type { Env } from './addresses.js';
import { SERVICES } from './config-read.js';
import { describe } from './session.js';

const DAY_MS = 86_400_000;
const CERTIFICATE_WARNING_DAYS = 21;

/** The address that visitors see: whether it leads to a redirect service, its certificate, and whom the service believes. */
export const publicCheck: DoctorCheck = {
  name: 'public address',
  async run(context) {
    const { publicUrl } = context;
    if (publicUrl === undefined || !URL.canParse(publicUrl)) {
      const todo = 'Set PUBLIC_BASE_URL, or give --public-url.';
      return [unknown('public address', 'is not known', todo), judgeProxies(context, null)];
    }
    const url = new URL(publicUrl);
    const [answer, certificate] = await Promise.all([
      judgeAnswer(url, context.signal),
      url.protocol === 'https:' ? judgeCertificate(url, context) : null,
    ]);
    return [answer, ...(certificate === null ? [] : [certificate]), judgeProxies(context, url)];
  },
};

// Nothing of ours tells who it takes a visitor for, and nothing should: so a slug that cannot be is asked for, which
// counts for nobody. Its page has headers that hardly another program's 404 has together.
const IMPOSSIBLE_SLUG = '/-';
const OURS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'strict-origin-when-cross-origin' } as const;

async function judgeAnswer(url: URL, signal: AbortSignal): Promise<Finding> {
  const check = 'public address';
  try {
    const response = await fetch(new URL(IMPOSSIBLE_SLUG, url), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      redirect: 'manual',
    });
    await response.body?.cancel();
    const isOurs = Object.entries(OURS).every(([name, value]) => response.headers.get(name) === value);
    if (response.status === 404 && isOurs) return ok(check, `${url.origin} answers as redirect does`);
    const seen =
      response.status === 404
        ? `${url.origin} answers an unknown address with a page that is not redirect's, or without its headers`
        : `${url.origin} answers an unknown address with ${response.status}, and redirect with 404`;
    return warning(check, seen, 'See that the edge hands all paths to redirect as they are.');
  } catch (err) {
    const cause = err instanceof Error ? (err.cause ?? err) : err;
    const seen = `${url.origin} cannot be reached from here: ${describe(cause)}`;
    return warning(check, seen, 'See DNS, the edge and its certificate; from inside it may be meant so.');
  }
}

function judgeCertificate(url: URL, { now, signal }: DoctorContext): Promise<Finding> {
  const check = 'certificate';
  return new Promise((resolve) => {
    // An expired one is looked at too: what is wrong with it is to be told. Nothing is sent over it.
    const socket = connect({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 443),
      ...(/^[\d.]+$|^\[/.test(url.hostname) ? {} : { servername: url.hostname }),
      rejectUnauthorized: false,
      timeout: ANSWER_LIMIT_MS,
    });
    const settle = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    signal.addEventListener('abort', () => {
      settle(unknown(check, 'the edge does not answer'));
    });
    socket.once('timeout', () => {
      settle(unknown(check, 'the edge does not answer'));
    });
    socket.once('error', (err) => {
      settle(unknown(check, describe(err)));
    });
    socket.once('secureConnect', () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      const days = Math.floor((ends - now()) / DAY_MS);
      const fault = socket.authorized ? null : String(socket.authorizationError);
      settle(judgeEnd(check, days, fault));
    });
  });
}

function judgeEnd(check: string, days: number, fault: string | null): Finding {
  const todo = 'Renew it, and see why that was not done by itself.';
  if (days < 0) return problem(check, `ended ${-days} days ago`, todo);
  if (fault !== null)
    return problem(check, `browsers refuse it: ${fault}`, 'Serve the whole chain for this name.');
  const seen = `good for ${days} more days`;
  return days < CERTIFICATE_WARNING_DAYS ? warning(check, seen, todo) : ok(check, seen);
}

const EVERYBODY: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0']);

/**
 * Judges TRUSTED_PROXIES against the way visitors come. No request can show more without telling strangers whom
 * redirect takes them for.
 */
function judgeProxies({ env }: DoctorContext, url: URL | null): Finding {
  const check = 'TRUSTED_PROXIES';
  const ranges = (given(env, 'TRUSTED_PROXIES') ?? '').split(',').flatMap((range) => range.trim() || []);
  if (ranges.some((range) => EVERYBODY.has(range))) {
    const todo = 'Name your edge alone: with this each visitor chooses country, identity and limits.';
    return problem(check, 'believes everybody', todo);
  }
  if (url === null) return unknown(check, `${ranges.length} ranges; how visitors come is not known`);
  const port = given(env, 'REDIRECT_PORT') ?? '8080';
  const isDirect = url.protocol === 'http:' && (url.port || '80') === port;
  if (isDirect && ranges.length > 0) {
    const todo = 'Leave it empty where no proxy stands before redirect, or let nobody go round the proxy.';
    return warning(check, `${ranges.join(', ')}, and visitors come to redirect's own port`, todo);
  }
  if (!isDirect && ranges.length === 0 && !isRedirectHere(env)) {
    const todo = 'Run the doctor where redirect runs, with its variables.';
    return unknown(check, 'no variable of redirect is set here', todo);
  }
  if (!isDirect && ranges.length === 0) {
    const todo =
      "Name the edge's addresses: until then all visitors have its address, one country and one limit of password tries.";
    return problem(
      check,
      `empty, and visitors come by ${url.origin}, which is not redirect's own port`,
      todo,
    );
  }
  if (isDirect) return ok(check, "empty, and visitors come to redirect's own port");
  return ok(
    check,
    `${ranges.join(', ')}: see that a visit by telephone shows the right country (admin tail)`,
  );
}

/** Whether a variable is given that redirect reads and management does not: then redirect is configured here. */
function isRedirectHere(env: Env): boolean {
  const others = new Set(Object.keys(SERVICES.management.shape));
  const own = Object.keys(SERVICES.redirect.shape).filter((name) => !others.has(name));
  return own.some((name) => given(env, name) !== null);
}
