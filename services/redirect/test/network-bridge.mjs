// Carries connections between a network namespace and the rest of the machine, by way of sockets in the file system,
// which know no namespaces. Told as JSON in the first argument: a list of `{ listen, to }`, each what `net` takes.
// Prints a line when all of them listen, and ends with its input.
import { connect, createServer } from 'node:net';

const servers = JSON.parse(process.argv[2]).map(({ listen, to }) => {
  const server = createServer((near) => {
    const far = connect(to);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.setNoDelay?.(true);
    far.setNoDelay?.(true);
    near.pipe(far).pipe(near);
  });
  return new Promise((resolve) => server.listen(listen, resolve));
});
await Promise.all(servers);
process.stdout.write('ready\n');
process.stdin.resume().once('end', () => process.exit(0));
