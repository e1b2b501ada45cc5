import { expect, test } from 'vitest';
import { groupOf, readReport } from './perf-report.js';

const REPORT = `
    21.50%  |[kernel.kallsyms]  |[k] tcp_sendmsg_locked
    11.25%  |perf-7.map         |[.] JS:*copyVisitRequest file:///home/a/smartlink/services/redirect/dist/copy-request.js:22:33
     4.00%  |uws_linux_x64.node |[.] uWS::HttpContext<false>::onData
     3.00%  |perf-7.map         |[.] JS:*processTimers node:internal/timers:498:25
     2.00%  |node               |[.] Builtins_StringIndexOf
     1.00%  |node               |[.] v8::internal::ScavengerCollector::CollectGarbage()
`;

test('a profile says whose code the time went to, and nothing of where the project lies', () => {
  const entries = readReport(REPORT);
  expect(entries.map(groupOf)).toEqual([
    'kernel: sockets, polling, files',
    'our functions',
    'uWebSockets.js',
    'JavaScript of Node',
    'built-ins of V8',
    'garbage collection',
  ]);
  expect(entries[1]).toMatchObject({
    share: 0.1125,
    name: 'JS:*copyVisitRequest services/redirect/copy-request.js:22',
  });
});
