import type { Socket } from 'node:net';
import fp from 'fastify-plugin';

// What requests under way may take at shutdown; installShutdown's deadline comes after it.
const GRACE_MS = 10_000;

/**
 * Closes connections when the service does: those without a request at once, the others after their answer, all of
 * them after 10 s. Node's closeIdleConnections leaves those that have never sent a request and those that were busy
 * when it was called, and each would hold the process until its own timeout.
 */
export default fp(
  (app, _options, done) => {
    const unused = new Set<Socket>();
    let isClosing = false;
    let grace: NodeJS.Timeout | undefined;

    app.server.on('connection', (socket) => {
      unused.add(socket);
      socket.once('close', () => unused.delete(socket));
    });
    app.server.on('request', ({ socket }, res) => {
      unused.delete(socket);
      res.once('close', () => {
        if (isClosing) socket.end();
        else if (!socket.destroyed) unused.add(socket);
      });
    });
    app.addHook('preClose', (next) => {
      isClosing = true;
      for (const socket of unused) socket.destroy();
      grace = setTimeout(() => {
        app.server.closeAllConnections();
      }, GRACE_MS);
      next();
    });
    app.addHook('onClose', () => {
      clearTimeout(grace);
    });
    done();
  },
  { name: 'connections' },
);
