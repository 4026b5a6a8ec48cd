// Which files `npm run test:cluster` runs: every story and the model of the cap, but for these. And which stay away when the
// record is on several schemas or on Citus.

const ALL = 'test/{flow,fuzz,model,browser}/**/*.test.ts';
const ON_CLUSTERS = 'test/{flow,model}/**/*.test.ts';

const WIRE =
  'cuts or slows the wire to the one Redis or NATS; cluster-drills.test.ts kills servers of clusters';
const OWN = 'starts servers of its own, of one kind, and nothing on those of the run';
const MACHINE = 'tries what runs on one machine: npm start, the simulator, what keeps processes up';

const REASONS: Record<string, string> = {
  'live-limits': WIRE,
  'provider-limits': WIRE,
  'store-away': WIRE,
  'redis-sentinel': OWN,
  'redis-cluster': OWN,
  'nats-cluster': OWN,
  'cluster-drills': OWN,
  prove: OWN,
  'prove-faults': OWN,
  'private-servers': MACHINE,
  simulate: MACHINE,
  'simulator-dns': MACHINE,
  'simulator-http': MACHINE,
  'simulator-reports': MACHINE,
  'simulator-smtp': MACHINE,
  start: MACHINE,
  supervise: MACHINE,
  watchdog: MACHINE,
};

const CLOCK = 'turns the clock of one PostgreSQL, by a function now() of its own; nodes have a clock each';
const CLOCK_OF_FIRST = 'turns the clock by a function now() that statements of the first bucket see';
const ONE = 'is about one PostgreSQL: its dump, or a migration that stands half-way (docs/citus.md)';

// By where the record is (TEST_RECORD).
const REASONS_BY_RECORD: Record<string, Record<string, string>> = {
  citus: {
    'model/explain': CLOCK,
    'flow/warmup-midnight': CLOCK,
    'flow/backup': ONE,
    'flow/migrate-under-load': ONE,
  },
  schemas: { 'flow/warmup-midnight': CLOCK_OF_FIRST },
};

const left = (name: string) => `test/${name}.test.ts`;

const leftByRecord = Object.keys(REASONS_BY_RECORD[process.env['TEST_RECORD'] ?? ''] ?? {}).map(left);

/** The files of a run that need servers, by what TEST_SERVERS says they are (test/harness/servers.ts). */
export const SERVER_TESTS =
  process.env['TEST_SERVERS'] === 'cluster'
    ? {
        include: [ON_CLUSTERS],
        exclude: [...Object.keys(REASONS).map((name) => left(`flow/${name}`)), ...leftByRecord],
        hookTimeout: 240_000, // twice as many services start
      }
    : { include: [ALL], exclude: leftByRecord };
