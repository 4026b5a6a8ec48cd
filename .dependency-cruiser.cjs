// Imports run one way: API surfaces and loops → core nouns → mail, db, clients → base. Nouns only to lower nouns.
// `npm run imports` checks it; test/flow/imports.test.ts shows that a planted violation is found.

const NOUNS = [
  'system-mail',
  'audit',
  'tenant',
  'outbox',
  'key',
  'mailbox-provider',
  'message',
  'people',
  'idempotency',
  'worker',
  'operations',
  'warmup',
  'domain',
  'tracking-host',
  'sso',
  'suppression',
  'transport',
  'suspension',
  'source',
  'job',
  'webhook',
  'alert',
  'new-tenant',
  'template',
  'tracking',
  'reputation',
  'service-health',
  'inbound',
  'contact',
  'contact-import',
  'export',
  'bulk',
  'campaign',
  'preflight',
  'find',
  'analytics',
];
const SERVICES = ['api', 'sender', 'inbound', 'scheduler'];

const nounsRunDown = NOUNS.map((noun, rank) => ({
  name: `core-${noun}-uses-only-lower-nouns`,
  severity: 'error',
  from: { path: `^core/${noun}/` },
  to: { path: `^core/(${NOUNS.slice(rank + 1).join('|') || 'none'})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: `^(${SERVICES.join('|')})/` },
      to: { path: `^(${SERVICES.join('|')})/`, pathNot: '^$1/' },
    },
    {
      name: 'core-imports-no-service',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/db/generate\\.ts$' }, // a generator: it needs local/tools
      to: { path: '^(api|cli|sender|inbound|scheduler|local|bench|prove|test)/' },
    },
    {
      name: 'base-is-a-leaf',
      severity: 'error',
      from: { path: '^core/base/' },
      to: { path: '^core/(?!base/)' },
    },
    {
      name: 'mail-is-pure',
      severity: 'error',
      from: { path: '^core/mail/' },
      to: { path: '^core/(?!mail/|base/)' },
    },
    {
      name: 'db-and-clients-know-no-nouns',
      severity: 'error',
      from: { path: '^core/(db|clients)/' },
      to: { path: `^core/(${NOUNS.join('|')})/` },
    },
    {
      name: 'core-knows-no-api-surface',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/(clients|gen)/' },
      to: { path: 'node_modules/(hono|@hono|graphql|graphql-yoga|@pothos|@grpc)/' },
    },
    {
      name: 'graphql-imports-nothing-of-rest',
      severity: 'error',
      from: { path: '^api/graphql/' },
      to: { path: '^api/rest/' },
    },
    {
      name: 'rest-imports-nothing-of-graphql',
      severity: 'error',
      from: { path: '^api/rest/' },
      to: { path: '^api/graphql/' },
    },
    {
      name: 'compat-imports-nothing-of-rest-and-graphql',
      severity: 'error',
      from: { path: '^api/compat/' },
      to: { path: '^api/(rest|graphql)/' },
    },
    {
      name: 'rest-and-graphql-import-nothing-of-compat',
      severity: 'error',
      from: { path: '^api/(rest|graphql)/' },
      to: { path: '^api/compat/' },
    },
    {
      name: 'services-import-nothing-of-the-workbench',
      severity: 'error',
      from: { path: `^(${SERVICES.join('|')})/` },
      to: { path: '^(local|bench|prove|test)/' },
    },
    {
      name: 'dashboard-imports-nothing-of-the-services',
      severity: 'error',
      from: { path: '^dashboard/src/' },
      to: { path: '^(api|bench|cli|core|inbound|local|proto|prove|scheduler|sender|test)/' },
    },
    {
      name: 'services-import-nothing-of-the-dashboard',
      severity: 'error',
      from: { path: `^(core|${SERVICES.join('|')})/` },
      to: { path: '^dashboard/' },
    },
    {
      name: 'saml-is-parsed-in-its-process',
      severity: 'error',
      from: {
        path: '^(api|core)/',
        pathNot: '^core/sso/(saml-process|verify-response|check-response|read-assertion|idp-metadata)\\.ts$',
      },
      to: { path: '^core/sso/(xml|verify-response|check-response|read-assertion|idp-metadata)\\.ts$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^k6' } },
    ...nounsRunDown,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(core/gen|sdk/typescript/(src/gen|dist|examples)|bench/k6|dashboard/dist|dashboard/src/gen|\\.local)',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
