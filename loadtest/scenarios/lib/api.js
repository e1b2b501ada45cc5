import { check } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

/** What the API never answers under a load that its plan allows. */
const serverErrors = new Counter('api_5xx');
const refusals = new Counter('api_429');

const FAILURES_TOLD = 5;
let told = 0;

/**
 * Calls the API with the launcher's key, and returns `{ isRight, data }`: whether it answered with `status`, in the envelope
 * of a success, and as `isExpected` says of its data. `name` is what its durations are kept as.
 */
export function callApi(name, method, path, { body, status = 200, isExpected = () => true }) {
  const response = http.request(method, `${__ENV.API_URL}/api/v1${path}`, body && JSON.stringify(body), {
    headers: { Authorization: `Bearer ${__ENV.API_KEY}`, 'Content-Type': 'application/json' },
    responseType: 'text',
    tags: { name },
  });
  serverErrors.add(response.status >= 500 ? 1 : 0);
  refusals.add(response.status === 429 ? 1 : 0);
  const envelope = response.status === status ? parse(response.body) : null;
  const isRight = check(envelope, {
    [`${name} is answered rightly`]: () => envelope?.success === true && isExpected(envelope.data),
  });
  // The first few of each virtual user are told, in the log.
  if (!isRight && told++ < FAILURES_TOLD)
    console.error(`${name} was answered ${response.status} ${response.error} ${response.body}`);
  return { isRight, data: envelope?.data };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
