// Setup of integration tests. After the runner has died, a worker would continue until its tests time out; the services
// that it has started end with it (withDeathSignal).
if (process.listeners('disconnect').every(({ name }) => name !== endWithRunner.name)) {
  process.on('disconnect', endWithRunner);
}

// Vitest turns process.exit into an error.
function endWithRunner(): void {
  process.kill(process.pid, 'SIGKILL');
}
