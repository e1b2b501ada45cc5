// Question: how do visits to a few hot links fare at a steady rate? Every answer must be a 302 to the right place.
// Run by loadtest/run.mjs, which makes the links and counts what arrived in ClickHouse afterwards.
import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';

const links = JSON.parse(__ENV.LINKS);
const counted = new Counter('counted_visits');

export const options = {
  discardResponseBodies: true,
  maxRedirects: 0,
  summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    hot: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE),
      timeUnit: '1s',
      duration: `${__ENV.DURATION_SECONDS}s`,
      preAllocatedVUs: 20,
      maxVUs: 200,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_duration: ['p(99)<50'],
    dropped_iterations: ['count==0'],
  },
};

// What a current desktop browser sends; about 400 bytes with the request line.
const headers = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};

export default function visitHotLink() {
  const link = links[Math.floor(Math.random() * links.length)];
  const response = http.get(link.relink, { headers });
  const isRight = check(response, {
    'is a 302 to the destination': (r) => r.status === 302 && r.headers.Location === link.url,
  });
  if (isRight) counted.add(1);
}

export function handleSummary(data) {
  return { [__ENV.SUMMARY_FILE]: JSON.stringify(data) };
}
