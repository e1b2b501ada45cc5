// The walls of the house, see ARCHITECTURE.md. tools/checks/src/dependency-rule.test.ts plants an import against each rule and
// checks that it is caught.
const IO_CORE = '^(node:)?(fs|net|http|https|http2|dgram|dns|tls|child_process|cluster|worker_threads)(/|$)';
const IO_PACKAGES = 'node_modules/(pg|ioredis|@clickhouse|uWebSockets[.]js|fastify)/';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-import-libs-only',
      comment: 'So does what tests of libs may use.',
      severity: 'error',
      from: { path: '^(libs|tools/test-support/src)/' },
      to: { path: '^(services|deploy|tools|clients|loadtest)/', pathNot: '^tools/test-support/src/' },
    },
    {
      name: 'ground-libs-import-no-lib',
      severity: 'error',
      from: { path: '^libs/process/' },
      to: { path: '^libs/', pathNot: '^libs/process/' },
    },
    {
      name: 'the-client-stands-alone',
      comment:
        'It is published by itself, for Node and browsers: no package, no other part of Smartlink, no Node module.',
      severity: 'error',
      from: { path: '^clients/typescript/src/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'the-dashboard-knows-the-client-alone',
      comment: 'It runs in a browser and is served as files. The colours of hosted pages are pure.',
      severity: 'error',
      from: { path: '^dashboard/src/', pathNot: '[.]test[.]tsx?$' },
      to: {
        path: `^(libs|services|clients|deploy|tools|loadtest)/|${IO_CORE}`,
        pathNot: '^(clients/typescript/src/|libs/pages/src/theme/)',
      },
    },
    {
      name: 'nothing-imports-the-dashboard',
      severity: 'error',
      from: { path: '^(libs|services|clients|deploy|tools|loadtest)/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment:
        'What is decided, answered and drawn for a visit is a function of its arguments. The files of pages are read at start.',
      severity: 'error',
      from: {
        path: '^(libs/(visits/src/routing|pages/src)|services/redirect/src/http/reply)',
        pathNot: '[.]test[.]ts$|^libs/pages/src/assets[.]ts$',
      },
      to: { path: `${IO_CORE}|${IO_PACKAGES}` },
    },
    {
      name: 'only-the-server-knows-uwebsockets',
      severity: 'error',
      from: {
        path: '^(libs|services|clients|deploy|tools)/',
        pathNot: '^(services/redirect/src/worker/server|tools/bench/src/bare-server)[.]ts$',
      },
      to: { path: 'uWebSockets[.]js' },
    },
    {
      name: 'management-features-meet-at-the-front-file',
      comment:
        'A feature folder is entered by `<feature>/<feature>.ts` or its `routes.ts` and by nothing else; `accounts/` also by what routes state and record, and by members, whom operators manage too.',
      severity: 'error',
      from: {
        path: '^services/management/src/(smartlinks|analytics|accounts|url-safety|webhooks|qr|resolve|imports|api-reference|dashboard|media|operators)/',
      },
      to: {
        path: '^services/management/src/(smartlinks|analytics|accounts|url-safety|webhooks|qr|resolve|imports|api-reference|dashboard|media|operators)/',
        pathNot:
          '^services/management/src/($1/|([^/]+)/(routes|\\2)[.]ts$|accounts/(access|audit|members|member-operations)[.]ts$)',
      },
    },
    {
      name: 'services-do-not-start-engines',
      severity: 'error',
      from: { path: '^(libs|services)/[^/]+/src/' },
      to: { path: '^(deploy|tools)/', pathNot: '^tools/test-support/' },
    },
    {
      name: 'no-rooms-without-a-name',
      severity: 'error',
      from: {},
      to: {
        path: '^(libs|services|clients|dashboard|deploy|tools)/.*/?(utils?|common|shared|helpers?)([.]tsx?|/)',
      },
    },
    {
      name: 'sources-do-not-import-tests',
      severity: 'error',
      from: { path: '^(libs|services|clients|dashboard|deploy|tools)/', pathNot: '[.]test[.]tsx?$|/test/' },
      to: { path: '[.]test[.]tsx?$|/test/' },
    },
    {
      name: 'only-tests-import-test-support',
      severity: 'error',
      from: {
        path: '^(libs|services|clients|dashboard|deploy|tools)/',
        pathNot: '[.]test[.]tsx?$|/test/|^tools/(bench|test-support|verify-deploy)/',
      },
      to: { path: '^tools/test-support/' },
    },
    {
      name: 'only-benches-import-bench',
      comment: 'What measures is no part of what is measured.',
      severity: 'error',
      from: { path: '^(libs|services|clients|deploy|tools|loadtest)/', pathNot: '^tools/bench/' },
      to: { path: '^tools/bench/' },
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      from: {
        path: '^(libs|services|clients|dashboard|deploy|tools)/',
        pathNot:
          '[.]test[.]tsx?$|/test/|^tools/(bench|checks|test-support/src/browser)/|^dashboard/(vite[.]config[.]ts|world-map[.]mjs)$',
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
