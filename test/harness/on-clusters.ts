// Which files run on clusters, and with the record on several schemas or on Citus: every story and the model of the cap, but
// for these. `npm run test:nightly` has these forms (local/tests/forms.ts).

const ALL = 'test/{flow,fuzz,model,browser}/**/*.test.ts';
const STORIES = 'test/{flow,model,nightly}/**/*.test.ts';

const WIRE =
  'cuts or slows the wire to the one Redis or NATS; cluster-drills.test.ts kills servers of clusters';
const MACHINE = 'tries what runs on one machine: npm start, the simulator, what keeps processes up';

const OWN = 'starts servers of its own, of one kind, and nothing on those of the run';
const PAGE = 'is about what a page shows';

const REASONS: Record<string, string> = {
  'nightly/live-limits': WIRE,
  'nightly/provider-limits': WIRE,
  'nightly/store-away': WIRE,
  'nightly/redis-sentinel': OWN,
  'nightly/redis-cluster': OWN,
  'nightly/nats-cluster': OWN,
  'nightly/cluster-drills': OWN,
  'nightly/prove': OWN,
  'nightly/prove-faults': OWN,
  'nightly/first-day': PAGE,
  'nightly/simulate': MACHINE,
  'nightly/start': MACHINE,
  'nightly/second-day': MACHINE,
  'nightly/private-servers': MACHINE,
  'flow/simulator-dns': MACHINE,
  'flow/simulator-http': MACHINE,
  'flow/simulator-reports': MACHINE,
  'flow/simulator-smtp': MACHINE,
  'flow/supervise': MACHINE,
  'nightly/watchdog': MACHINE,
};

const CLOCK = 'turns the clock of one PostgreSQL, by a function now() of its own; nodes have a clock each';
const CLOCK_OF_FIRST = 'turns the clock by a function now() that statements of the first bucket see';
const ONE = 'is about one PostgreSQL: its dump, or a migration that stands half-way (docs/citus.md)';

// By where the record is (TEST_RECORD).
const REASONS_BY_RECORD: Record<string, Record<string, string>> = {
  citus: {
    'model/explain': CLOCK,
    'flow/warmup-midnight': CLOCK,
    'nightly/backup': ONE,
    'nightly/migrate-under-load': ONE,
  },
  schemas: { 'flow/warmup-midnight': CLOCK_OF_FIRST, 'nightly/second-day': MACHINE },
};

/** The files that stay away, by the values of TEST_SERVERS and TEST_RECORD. */
export function leftOut(servers = 'single', record = 'plain'): string[] {
  const reasons = { ...(servers === 'cluster' && REASONS), ...REASONS_BY_RECORD[record] };
  return Object.keys(reasons).map((name) => `test/${name}.test.ts`);
}

const { TEST_SERVERS, TEST_RECORD } = process.env;
const exclude = leftOut(TEST_SERVERS, TEST_RECORD);

const isOther = TEST_SERVERS === 'cluster' || TEST_RECORD !== undefined;

/** The files of a run that need servers, by what TEST_SERVERS and TEST_RECORD say they are (test/harness/servers.ts). */
export const SERVER_TESTS = {
  include: [isOther ? STORIES : ALL],
  exclude,
  ...(TEST_SERVERS === 'cluster' && { hookTimeout: 240_000 }), // twice as many services start
};

/** The files of test/nightly as they are; on other servers they are among the files above. */
export const NIGHTLY_TESTS = isOther ? [] : ['test/nightly/*.test.ts'];
