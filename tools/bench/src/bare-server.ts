// A handler of uWebSockets.js that reads nothing and redirects to its argument: the floor of a redirect.
import { _cfg, App, type us_listen_socket, us_socket_local_port } from 'uWebSockets.js';

const [location = ''] = process.argv.slice(2);
_cfg('silent');

const app = App();
app.any('/*', (res) => {
  res.writeStatus('302 Found').writeHeader('Location', location).end();
});
app.listen('127.0.0.1', 0, (socket: us_listen_socket | false) => {
  if (socket === false) process.exit(1);
  process.stdout.write(`Server listening at http://127.0.0.1:${us_socket_local_port(socket)}\n`);
});
process.on('SIGTERM', () => {
  process.exit(0);
});
