import { failureMessage } from '@smartlink/process/failure-message';
import fp from 'fastify-plugin';
import type { FastifyReply } from 'fastify';
import { failure } from '../envelope.js';
import { fault, toApiError } from '../errors.js';
import type { ApiError } from '../errors.js';

/** Turns whatever is thrown into the failure envelope; what nobody expected is logged with its cause. */
export default fp(
  (app, _options, done) => {
    app.setErrorHandler((err, request, reply) => {
      // Nobody is there to read the answer, and nothing of ours failed.
      if (request.raw.readableAborted) return sendFailure(reply, fault('', 'Must be a complete JSON body'));
      const apiError = toApiError(err);
      if (apiError.code === 'INTERNAL_ERROR') request.log.error({ err }, 'request failed');
      if (apiError.code === 'SERVICE_UNAVAILABLE') {
        // Without a cause the answer's own words say it: URLs that cannot be checked, a link that others keep changing.
        const reason = failureMessage(apiError.cause ?? apiError);
        request.log.warn({ reason }, 'a request was refused with 503');
      }
      return sendFailure(reply, apiError);
    });
    done();
  },
  { name: 'error-handler' },
);

/** Answers with the failure envelope of `err`. */
export function sendFailure(reply: FastifyReply, err: ApiError): FastifyReply {
  return reply.code(err.status).headers(err.headers).send(failure(err));
}
