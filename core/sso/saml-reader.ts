// Reads SAML documents in a process that can be killed: XPath on a large document holds an event loop for 0.3 s.
//
//   tenants take turns, and one tenant may have 20 documents waiting, so that it can neither delay nor lock out the others
//   a document over its time or memory is refused as its sender's fault
//   one whose process died for another reason is read once more

import { AppError, invalidField, invalidFields } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { createProcessPool, type JobEnd, type WaitingJob } from '../base/process-pool.ts';
import { createTenantQueue } from '../base/tenant-queue.ts';
import { METADATA_FIELD, NOT_PLAIN_METADATA, type IdpSettings } from './idp-settings.ts';
import {
  MAX_XML_BYTES,
  type ExpectedResponse,
  type ResponseResult,
  type SamlJob,
  type SamlResult,
} from './saml-job.ts';

/** The reader of one api. Its process starts with the first document and ends when it was idle for a minute. */
export interface SamlReader {
  /** Reads metadata. Throws `validation_failed`, and `unavailable` when too many documents wait. */
  readMetadata(tenantId: string, xml: string): Promise<IdpSettings>;
  /** Checks a response. Throws `unavailable` when too many documents wait. */
  readResponse(tenantId: string, xml: string, expected: ExpectedResponse): Promise<ResponseResult>;
  close(): Promise<void>;
}

// For one document; the slowest that are accepted take 300.
const SAML_LIMIT_MS = 2_000;

/** Most documents that wait: 25 MiB. */
export const MAX_WAITING = 100;

/** Most of them of one tenant: people who sign in at the same moment, or 6 s of its largest metadata. */
export const MAX_WAITING_OF_TENANT = 20;

const HEAP_MB = 128; // of JavaScript objects; the largest document takes 30
const RETRY_AFTER_SECONDS = 2;
const NOT_READ = `could not be read within ${SAML_LIMIT_MS / 1_000} s: it is too complex`;
// What documents leave in the process goes with it; a fresh one takes 0.2 s.
const LIFETIME = {
  jobs: 1_000,
  bytes: 64 * 1024 * 1024,
  bytesOf: (job: SamlJob): number => job.xml.length,
  idle: { bytes: 0, ms: 60_000 },
};

/** Makes a reader. `file` is the program of the process; another one in tests. */
export function createSamlReader(
  log: Logger,
  file: URL = new URL('./saml-process.ts', import.meta.url),
): SamlReader {
  const queue = createTenantQueue<WaitingJob<SamlJob, SamlResult>>(({ job }) => job.tenantId);
  const pool = createProcessPool<SamlJob, SamlResult>(
    {
      what: 'SAML reader',
      file,
      memory: { oldSpaceMb: HEAP_MB },
      processes: 1,
      perProcess: 1,
      limitMs: SAML_LIMIT_MS,
      mode: 'together',
      maxWaiting: MAX_WAITING,
      queue,
      lifetime: LIFETIME,
    },
    log,
  );
  const run = (job: SamlJob): Promise<JobEnd<SamlResult>> => {
    if (queue.sizeOf(job.tenantId) >= MAX_WAITING_OF_TENANT) throw busy();
    return pool.run(job);
  };
  /** Null when the document cannot be read. */
  const read = async (job: SamlJob): Promise<SamlResult | null> => {
    let end = await run(job);
    if (end.kind === 'killed' && end.why === 'broken') end = await run(job);
    if (end.kind === 'refused' || end.kind === 'returned') throw busy();
    if (end.kind === 'done' && end.result.kind !== 'threw') return end.result;
    const why = end.kind === 'killed' ? end.why : end.result;
    log.warn({ tenant: job.tenantId, document: job.kind, why }, 'a SAML document could not be read');
    return null;
  };
  return {
    async readMetadata(tenantId, xml) {
      if (Buffer.byteLength(xml) > MAX_XML_BYTES) throw invalidField(METADATA_FIELD, NOT_PLAIN_METADATA);
      const found = await read({ kind: 'metadata', tenantId, xml });
      if (found?.kind !== 'metadata') throw invalidField(METADATA_FIELD, NOT_READ);
      if (!found.result.ok) throw invalidFields(found.result.problems);
      return found.result.settings;
    },
    async readResponse(tenantId, xml, expected) {
      const found = await read({ kind: 'response', tenantId, xml, expected });
      if (found?.kind === 'response') return found.result;
      return { ok: false, reason: 'invalid', why: `the response ${NOT_READ}` };
    },
    close: () => pool.close(),
  };
}

function busy(): AppError {
  const message = 'Too many SAML documents are being read. Try again.';
  return new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
