// Long work that people ask for: imports, exports and bulk changes. One of a kind at a time, in slices, the one that waited
// longest first, so that a file of 100 MB or a million rows hold no other tenant's up. Any number of schedulers may do so side by
// side: a claim keeps them apart.

import type { Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { startLoop, type Loop } from '../core/base/loop.ts';
import type { Slice } from '../core/base/slice.ts';
import { sweepBulkChanges, workOnBulkChange } from '../core/bulk/bulk-changes.ts';
import { sweepUploads, workOnImport } from '../core/contact-import/find-work.ts';
import type { Database } from '../core/db/pool.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { sweepExports, workOnExport } from '../core/export/exports.ts';

/** What the loops need. */
export interface SliceLoopDeps {
  config: Pick<Config, 'WORKER_LEASE_MS'>;
  db: Database;
  log: Logger;
  /** Steps at which a test kills the process. */
  fail?: Fail;
}

interface Kind {
  /** For the log. */
  what: string;
  /** Works on the next one. False: there is none. */
  work(db: Database, slice: Slice): Promise<boolean>;
  /** Deletes what nobody needs any more. */
  sweep(db: Database): Promise<unknown>;
}

const SLICE_MS = 5_000; // then the next one is worked on
const IDLE_MS = 500; // one begins within this after it was asked for
const POLLS_PER_SWEEP = 600; // about every five minutes

/** Imports of contacts. It ends after the batch in flight, as the others do. */
export const startImportLoop = loopOf({
  what: 'imports of contacts',
  work: workOnImport,
  sweep: sweepUploads,
});

/** Exports of lists as files. */
export const startExportLoop = loopOf({ what: 'exports of lists', work: workOnExport, sweep: sweepExports });

/** Changes of many rows at once. */
export const startBulkLoop = loopOf({
  what: 'bulk changes',
  work: workOnBulkChange,
  sweep: sweepBulkChanges,
});

function loopOf({ what, work, sweep }: Kind): (deps: SliceLoopDeps) => Loop {
  return ({ db, log, config, fail = () => {} }) => {
    let polls = 0;
    return startLoop({
      what,
      log,
      isExpected: isDatabaseAway,
      async step(signal) {
        if (polls++ % POLLS_PER_SWEEP === 0) await sweep(db);
        const slice = { sliceMs: SLICE_MS, leaseMs: config.WORKER_LEASE_MS, signal, fail };
        return (await work(db, slice)) ? 0 : IDLE_MS;
      },
    });
  };
}
