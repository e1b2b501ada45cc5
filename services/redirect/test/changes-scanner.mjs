// A separate process, so that making the load does not delay the measurement. Visits unknown slugs, or a given one, at a
// given rate, and prints the results as JSON:
// `changes-scanner.mjs <port> <a second> <seconds> [slug]`.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

// An unknown slug takes 20 to 40 ms, in which its connection has nothing else to do.
const CONNECTIONS = 400;
// A burst is no scan: as evenly as a timer can.
const TICK_MS = 1;

const [port, perSecond, seconds] = process.argv.slice(2, 5).map(Number);
const knownSlug = process.argv[5];
const statuses = {};
const idle = [];
let sent = 0;
let answered = 0;

for (let i = 0; i < CONNECTIONS; i += 1) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('connect', () => idle.push(socket));
  socket.on('data', (chunk) => {
    text += chunk;
    // To a HEAD there is no body: it is looked up as a GET is, and spares this side the page.
    if (!text.endsWith('\r\n\r\n')) return;
    const status = text.slice(9, 12);
    text = '';
    statuses[status] = (statuses[status] ?? 0) + 1;
    answered += 1;
    idle.push(socket);
  });
  socket.on('error', () => undefined);
}

const startedAt = performance.now();
const timer = setInterval(() => {
  const elapsed = (performance.now() - startedAt) / 1000;
  if (elapsed >= seconds && (answered === sent || elapsed >= seconds + 5)) finish();
  if (elapsed >= seconds) return;
  const due = Math.floor(elapsed * perSecond);
  while (sent < due && idle.length > 0) {
    sent += 1;
    const slug = knownSlug ?? `z${randomBytes(8).toString('hex')}`;
    idle.pop().write(`HEAD /${slug} HTTP/1.1\r\nHost: a\r\n\r\n`);
  }
}, TICK_MS);

function finish() {
  clearInterval(timer);
  process.stdout.write(JSON.stringify({ sent, answered, statuses }));
  process.exit(0);
}
