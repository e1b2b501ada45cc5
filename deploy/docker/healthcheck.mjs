// Ends with 0 when the service in this container says that it is ready: healthcheck.mjs NAME_OF_PORT_VARIABLE DEFAULT
const [variable, fallback] = process.argv.slice(2);
const port = process.env[variable] || fallback;

const response = await fetch(`http://127.0.0.1:${port}/-/ready`, {
  signal: AbortSignal.timeout(4_000),
}).catch((err) => {
  console.error(err.cause?.message ?? err.message);
  process.exit(1);
});
console.log(response.status, (await response.text()).slice(0, 200));
process.exitCode = response.ok ? 0 : 1;
