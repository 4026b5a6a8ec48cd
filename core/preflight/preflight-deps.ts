// What a preflight needs.

import type { Config } from '../base/config.ts';
import type { Database } from '../db/pool.ts';
import type { DomainDns } from '../domain/dns-lookup.ts';
import type { RecordSettings } from '../domain/records.ts';
import type { TemplateRenderer } from '../template/renderer.ts';
import type { SendingSettings } from './domain-checks.ts';

/** What a preflight needs. */
export interface PreflightDeps {
  db: Database;
  config: RecordSettings &
    SendingSettings &
    Pick<Config, 'DKIM_ED25519' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  dns: DomainDns;
  renderer: Pick<TemplateRenderer, 'preview'>;
}
