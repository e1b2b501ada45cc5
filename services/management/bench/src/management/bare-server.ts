// The floor: a Fastify route that does nothing but answer the bytes which the service answered to the same request. A
// body is read and parsed by Fastify itself, as in any service that takes JSON.
import fastify from 'fastify';

/** What the service answered, for the bare route to answer too. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

let answer: Answer = { status: 503, headers: {}, body: '' };

const app = fastify();
app.route({
  method: ['GET', 'POST', 'PATCH'],
  url: '/api/v1/*',
  handler: (_request, reply) => reply.code(answer.status).headers(answer.headers).send(answer.body),
});

process.on('message', (message: { answer?: Answer }) => {
  if (message.answer === undefined) return;
  answer = message.answer;
  process.send?.({ taken: true });
});
process.on('SIGTERM', () => {
  process.exit(0);
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`Server listening at ${url}\n`);
