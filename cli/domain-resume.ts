// `domain resume`: lifts the pause of a domain.

import { service } from '../core/audit/actor.ts';
import { toId } from '../core/base/ids.ts';
import { resumeDomain } from '../core/warmup/change-tier.ts';
import { resumeInput } from '../core/warmup/tier-input.ts';
import { uuidOf, type Command } from './command.ts';

/** The command. */
export const domainResume: Command = {
  name: 'domain resume',
  help: 'ends the pause of a domain: messages that wait are sent as far as its cap allows',
  args: ['DOMAIN'],
  options: { tenant: { value: 'tnt_…', help: 'the tenant', required: true } },
  async run({ buckets }, [name = ''], options) {
    const tenantId = uuidOf('tnt', options['tenant'], 'tenant');
    const db = buckets.database(await buckets.ofTenant(tenantId));
    const target = { tenantId, domain: { name: name.toLowerCase() } };
    const { domainId, domain, tier, cap, state } = await resumeDomain(
      { db },
      service('cli'),
      target,
      resumeInput.parse({}),
    );
    return {
      json: { domain_id: toId('dom', domainId), domain, tier, cap, state },
      text: `Resumed ${domain} at tier ${tier}: up to ${cap} messages a day.`,
    };
  },
};
