// Which files run on clusters, and with the record on several schemas or on Citus: every story and the model of the cap, but
// for these. `npm run test:nightly` has these forms (local/tests/forms.ts).

const ALL = 'test/{flow,fuzz,model,browser}/**/*.test.ts';
const ON_CLUSTERS = 'test/{flow,model}/**/*.test.ts';

const WIRE =
  'cuts or slows the wire to the one Redis or NATS; cluster-drills.test.ts kills servers of clusters';
const MACHINE = 'tries what runs on one machine: npm start, the simulator, what keeps processes up';

const REASONS: Record<string, string> = {
  'flow/live-limits': WIRE,
  'flow/provider-limits': WIRE,
  'flow/store-away': WIRE,
  'flow/private-servers': MACHINE,
  'flow/simulator-dns': MACHINE,
  'flow/simulator-http': MACHINE,
  'flow/simulator-reports': MACHINE,
  'flow/simulator-smtp': MACHINE,
  'flow/start': MACHINE,
  'flow/supervise': MACHINE,
  'flow/watchdog': MACHINE,
};

const CLOCK = 'turns the clock of one PostgreSQL, by a function now() of its own; nodes have a clock each';
const CLOCK_OF_FIRST = 'turns the clock by a function now() that statements of the first bucket see';
const ONE = 'is about one PostgreSQL: its dump (docs/citus.md)';

// By where the record is (TEST_RECORD).
const REASONS_BY_RECORD: Record<string, Record<string, string>> = {
  citus: {
    'model/explain': CLOCK,
    'flow/warmup-midnight': CLOCK,
    'flow/backup': ONE,
  },
  schemas: { 'flow/warmup-midnight': CLOCK_OF_FIRST },
};

/** The files that stay away, by the values of TEST_SERVERS and TEST_RECORD. */
export function leftOut(servers = 'single', record = 'plain'): string[] {
  const reasons = { ...(servers === 'cluster' && REASONS), ...REASONS_BY_RECORD[record] };
  return Object.keys(reasons).map((name) => `test/${name}.test.ts`);
}

const { TEST_SERVERS, TEST_RECORD } = process.env;
const exclude = leftOut(TEST_SERVERS, TEST_RECORD);

/** The files of a run that need servers, by what TEST_SERVERS says they are (test/harness/servers.ts). */
export const SERVER_TESTS =
  TEST_SERVERS === 'cluster'
    ? { include: [ON_CLUSTERS], exclude, hookTimeout: 240_000 } // twice as many services start
    : { include: [ALL], exclude };
