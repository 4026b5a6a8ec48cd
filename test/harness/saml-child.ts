// A process for SAML documents that does what its documents say. The settings that it reads are its pid, its environment,
// and how many documents it read before.

import { endWithParent } from '../../core/base/sandbox.ts';
import { serveJobs } from '../../core/base/serve-jobs.ts';
import type { SamlJob, SamlResult } from '../../core/sso/saml-job.ts';

let before = 0;

endWithParent();
serveJobs<SamlJob, SamlResult>(read, () => ({ kind: 'threw', message: 'as asked' }));

async function read({ xml }: SamlJob): Promise<SamlResult> {
  if (xml === 'hang') for (;;);
  if (xml === 'exit') process.exit(3);
  if (xml === 'eat') for (const kept: string[][] = []; ;) kept.push(Array.from({ length: 100_000 }, String));
  if (xml === 'throw') throw new Error('as asked');
  const settings = {
    idpEntityId: String(process.pid),
    idpSsoUrl: JSON.stringify(process.env),
    certificates: [String(before++)],
  };
  return { kind: 'metadata', result: { ok: true, settings } };
}
