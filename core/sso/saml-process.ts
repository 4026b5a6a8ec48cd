// The process in which SAML documents are parsed. It has no connections, settings or secrets, so that it can be killed at
// any moment.

import { AppError } from '../base/errors.ts';
import { endWithParent } from '../base/sandbox.ts';
import { serveJobs } from '../base/serve-jobs.ts';
import { readIdpMetadata } from './idp-metadata.ts';
import type { MetadataResult, SamlJob, SamlResult } from './saml-job.ts';
import { verifyResponse } from './verify-response.ts';

const MAX_MESSAGE_CHARS = 200;

endWithParent();
serveJobs<SamlJob, SamlResult>(read, (_job, error) => ({
  kind: 'threw',
  message: String(error).slice(0, MAX_MESSAGE_CHARS),
}));

async function read(job: SamlJob): Promise<SamlResult> {
  if (job.kind === 'metadata') return { kind: 'metadata', result: await readMetadata(job.xml) };
  return { kind: 'response', result: await verifyResponse(job.xml, job.expected) };
}

async function readMetadata(xml: string): Promise<MetadataResult> {
  try {
    return { ok: true, settings: await readIdpMetadata(xml) };
  } catch (error) {
    if (error instanceof AppError && error.details) return { ok: false, problems: error.details };
    throw error;
  }
}
