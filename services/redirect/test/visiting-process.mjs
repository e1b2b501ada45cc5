// Visitors in a process of their own, which may stand in another network namespace than the test. Told as JSON in the
// first argument; prints `{"begun":true}` once visits are answered, ends when its input ends, and prints what became of
// every visit. Nothing is tried again: each connection that is reset is a failure.
import { Agent, get } from 'node:http';
import { connect } from 'node:net';

const VISIT_DEADLINE_MS = 8_000;
// Fresh connections that may be under way at once.
const UNDER_WAY_MAX = 250;
const TICK_MS = 2;
const BEGUN_AFTER_VISITS = 100;

const { host, port, slug, freshPerSecond, keepAlive, pauseMs, first, visitsMax } = JSON.parse(
  process.argv[2],
);
const agent = new Agent({ keepAlive: true, maxSockets: keepAlive });
const redirected = [];
const failures = [];
const counts = { fresh: 0, kept: 0 };
let slowestMs = 0;
const underWay = new Set();
let next = first;
let isOver = false;

const pathOf = (number) => `/${slug}?utm_content=${number}`;
const mayBegin = () => !isOver && next - first < visitsMax;

/** Waits for a visit and notes what became of it. */
async function settle(number, kind, visit) {
  const from = performance.now();
  const end = await visit;
  slowestMs = Math.max(slowestMs, performance.now() - from);
  if (end === '302') redirected.push(number);
  else failures.push({ kind, end });
  if (redirected.length === BEGUN_AFTER_VISITS) process.stdout.write('{"begun":true}\n');
}

/** Resolves with the status, or the code of the error. */
function visitFresh(path) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host });
    const end = (how) => {
      socket.destroy();
      resolve(how);
    };
    socket.setTimeout(VISIT_DEADLINE_MS, () => end('no answer'));
    socket.on('error', (err) => end(err.code ?? err.message));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.includes('\r\n\r\n')) end(text.slice(9, 12));
    });
    socket.on('end', () => end('closed without an answer'));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
}

function visitKept(path) {
  return new Promise((resolve) => {
    const req = get({ agent, host, port, path, timeout: VISIT_DEADLINE_MS }, (res) => {
      res.resume().on('end', () => resolve(String(res.statusCode)));
    });
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.on('error', (err) => resolve(err.code ?? err.message));
  });
}

async function keptVisitor() {
  while (mayBegin()) {
    const number = next++;
    counts.kept += 1;
    await settle(number, 'kept', visitKept(pathOf(number)));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const startedAt = performance.now();
const timer = setInterval(() => {
  const due = ((performance.now() - startedAt) * freshPerSecond) / 1_000;
  while (counts.fresh < due && underWay.size < UNDER_WAY_MAX && mayBegin()) {
    const number = next++;
    counts.fresh += 1;
    const visit = settle(number, 'fresh', visitFresh(pathOf(number))).then(() => underWay.delete(visit));
    underWay.add(visit);
  }
}, TICK_MS);
const keptVisitors = Array.from({ length: keepAlive }, keptVisitor);

process.stdin.resume().once('end', async () => {
  isOver = true;
  clearInterval(timer);
  await Promise.all([...keptVisitors, ...underWay]);
  agent.destroy();
  process.stdout.write(`${JSON.stringify({ counts, redirected, failures, slowestMs })}\n`, () =>
    process.exit(0),
  );
});
