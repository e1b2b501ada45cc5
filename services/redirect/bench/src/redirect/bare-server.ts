// The floor: a handler of uWebSockets.js that answers what it is told, and looks at nothing: the Location alone, or all
// headers of the service's answer, in one call, the cheapest way there is to write them.
import { App, _cfg, us_socket_local_port } from 'uWebSockets.js';
import type { us_listen_socket } from 'uWebSockets.js';

const [name = '', value = ''] = process.argv.slice(2);
_cfg('silent');

const app = App();
app.any('/*', (res) => {
  res.writeStatus('302 Found').writeHeader(name, value).end();
});
app.listen('127.0.0.1', 0, (socket: us_listen_socket | false) => {
  if (socket === false) process.exit(1);
  process.stdout.write(`Server listening at http://127.0.0.1:${us_socket_local_port(socket)}\n`);
});
process.on('SIGTERM', () => {
  process.exit(0);
});
