// What a message says, as this process reads it: from the record, composed as senders compose it. No sender is asked.

import type { Config } from '../core/base/config.ts';
import type { Logger } from '../core/base/log.ts';
import type { Database } from '../core/db/pool.ts';
import { createReadSigningDomain } from '../core/domain/signing-domains.ts';
import { createComposer } from '../core/message/compose-outgoing.ts';
import { createReadContent, type ReadContent } from '../core/message/read-content.ts';
import type { TemplateRenderer } from '../core/template/renderer.ts';
import { createDecorate } from '../core/tracking/decorate.ts';
import { createUnsubscribeUrl } from '../core/tracking/unsubscribe-url.ts';

/** What reading needs. */
export interface ReadContentDeps {
  /** The database of the current tenant. */
  db: Database;
  config: Config;
  renderer: TemplateRenderer;
  log: Logger;
}

/** Puts it together. */
export function openReadContent({ db, config, renderer, log }: ReadContentDeps): ReadContent {
  return createReadContent({
    db,
    findDomain: createReadSigningDomain({ db, config, log }),
    compose: createComposer({
      config,
      render: ({ tenantId, templateId, version }, variables) =>
        renderer.render(tenantId, templateId, version, variables),
      textOf: renderer.textOf,
      decorate: createDecorate(config),
      unsubscribeUrl: createUnsubscribeUrl(config),
    }),
  });
}
