// Sender rules checked before they hurt: what mailbox providers will think of a domain, and of a campaign. Reads only.

import { utcDay } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Campaign } from '../campaign/campaign.ts';
import { sendingDomain } from '../campaign/campaign-message.ts';
import { campaignWords } from '../campaign/campaign-words.ts';
import { getCampaign } from '../campaign/campaigns.ts';
import type { RecipientContact } from '../campaign/expand-store.ts';
import { selectKeys } from '../domain/dkim-store.ts';
import type { Domain, DomainView } from '../domain/domain.ts';
import { selectDomainId } from '../domain/domain-store.ts';
import { getDomain } from '../domain/domains.ts';
import { records } from '../domain/records.ts';
import { UNSUBSCRIBE_VARIABLE } from '../mail/compose/list-headers.ts';
import type { TemplateContent } from '../template/template.ts';
import { createDecorate } from '../tracking/decorate.ts';
import { trackingBase } from '../tracking/unsubscribe-url.ts';
import { readForecastDomains } from '../warmup/forecast-store.ts';
import { planSending, type SendingPlan } from '../warmup/sending-plan.ts';
import { bulkCap, capOfTier } from '../warmup/tiers.ts';
import {
  countAudience,
  countLacking,
  selectSample,
  type AudienceCounts,
} from '../campaign/audience-store.ts';
import { liveHost, NOBODY, renderFor } from './campaign-preview.ts';
import { checkCampaign, type SampleMessage } from './campaign-checks.ts';
import { isOk, type Check } from './check.ts';
import { checkDomain } from './domain-checks.ts';
import { lookUp } from './look-up.ts';
import type { PreflightDeps } from './preflight-deps.ts';

import { usedVariables, type UsedVariables } from './used-variables.ts';

/** The checks of a domain. `ok`: none fails. */
export interface Preflight {
  ok: boolean;
  /** Campaign mail that the domain may send today, under its cap and the sender rules. */
  bulkAllowedPerDay: number;
  checks: Check[];
}

/** The checks of a campaign and of its domain, whom it reaches, and when. */
export interface CampaignPreflight extends Preflight {
  audience: AudienceCounts;
  plan: SendingPlan;
}

const SAMPLES = 5; // contacts whose message is rendered

/** Checks a domain now. Throws not_found. */
export async function preflightDomain(
  deps: Pick<PreflightDeps, 'db' | 'config' | 'dns'>,
  tenantId: string,
  domainId: string,
): Promise<Preflight> {
  const domain = await getDomain(deps, tenantId, domainId);
  const checks = await domainChecks(deps, domain);
  return { ok: isOk(checks), bulkAllowedPerDay: bulkCapOf(domain), checks };
}

/** Checks a campaign now. Throws not_found, and domain_not_verified when its domain is none of the tenant's. */
export async function preflightCampaign(
  deps: PreflightDeps,
  tenantId: string,
  id: string,
): Promise<CampaignPreflight> {
  const campaign = await getCampaign(deps, tenantId, id);
  const name = sendingDomain(campaign);
  const domainId = await selectDomainId(deps.db.pool, tenantId, name);
  if (domainId === null)
    throw new AppError('domain_not_verified', `${name} is not one of your domains. Add it first.`);
  const domain = await getDomain(deps, tenantId, domainId);
  const [ofDomain, ofCampaign, forecasts] = await Promise.all([
    domainChecks(deps, domain),
    campaignChecks(deps, tenantId, campaign, liveHost(domain)),
    readForecastDomains(deps.db.pool, tenantId, { ids: [domainId] }),
  ]);
  const { audience } = ofCampaign;
  const checks = [...ofDomain, ...ofCampaign.checks];
  return {
    ok: isOk(checks),
    bulkAllowedPerDay: bulkCapOf(domain),
    checks,
    audience,
    plan: planSending(
      audience.sendable,
      forecasts[0] ?? null,
      campaign.scheduledAt && utcDay(campaign.scheduledAt),
    ),
  };
}

function bulkCapOf({ cap, tier, transactionalReserve, bulkLimit }: Domain): number {
  return bulkCap(cap ?? capOfTier(tier), transactionalReserve, bulkLimit);
}

async function domainChecks(
  deps: Pick<PreflightDeps, 'db' | 'config' | 'dns'>,
  domain: DomainView,
): Promise<Check[]> {
  const keys = (await selectKeys(deps.db.pool, [domain])).get(domain.id) ?? [];
  const wanted = records(domain, keys, deps.config);
  const seen = await lookUp(deps, domain, wanted, keys);
  const { name, cap, tier, transactionalReserve } = domain;
  const most = bulkCap(cap ?? capOfTier(tier), transactionalReserve);
  const { trackingHost } = domain;
  return checkDomain({ name, records: wanted, seen, settings: deps.config, bulkCap: most, trackingHost });
}

async function campaignChecks(
  deps: PreflightDeps,
  tenantId: string,
  campaign: Campaign,
  trackingHost: string | null,
): Promise<{ checks: Check[]; audience: AudienceCounts }> {
  const { pool } = deps.db;
  const words = await campaignWords(deps.db, tenantId, campaign);
  const used = usedBy(words);
  const names = [...used.required, ...used.printed];
  const [audience, sample, lacking, forecasts] = await Promise.all([
    countAudience(pool, tenantId, campaign.audience, used.required),
    selectSample(pool, tenantId, campaign.audience, SAMPLES),
    countLacking(pool, tenantId, campaign.audience, names),
    readForecastDomains(pool, tenantId),
  ]);
  const rendered = await renderSamples(deps, { tenantId, trackingHost }, campaign, words, sample);
  const ownDomains = [sendingDomain(campaign), ...forecasts.map(({ name }) => name)];
  const unsubscribeBase = `${trackingBase(deps.config, trackingHost)}/u/`;
  return {
    checks: checkCampaign({ ...rendered, used, lacking, audience, ownDomains, unsubscribeBase }),
    audience,
  };
}

/** Whom a campaign reaches as it is now, and who is left out and why. */
export async function countCampaignAudience(
  { db }: Pick<PreflightDeps, 'db'>,
  tenantId: string,
  campaign: Campaign,
): Promise<AudienceCounts> {
  const { required } = usedBy(await campaignWords(db, tenantId, campaign));
  return countAudience(db.pool, tenantId, campaign.audience, required);
}

// The link to unsubscribe is made for everybody.
function usedBy(words: TemplateContent | null): UsedVariables {
  if (words === null) return { required: [], printed: [] };
  const { required, printed } = usedVariables(words);
  const others = (names: string[]) => names.filter((name) => name !== UNSUBSCRIBE_VARIABLE);
  return { required: others(required), printed: others(printed) };
}

// What these contacts would get, byte for byte but for the id of the message in its links.
async function renderSamples(
  { config, renderer }: PreflightDeps,
  of: { tenantId: string; trackingHost: string | null },
  campaign: Campaign,
  words: TemplateContent | null,
  contacts: RecipientContact[],
): Promise<{ samples: SampleMessage[]; problem: string | null }> {
  if (words === null) return { samples: [], problem: 'the template was deleted' };
  const decorate = createDecorate(config);
  const results = await Promise.all(
    (contacts.length === 0 ? [NOBODY] : contacts).map(async (contact) => {
      const made = await renderFor({ config, renderer }, of, campaign, words, contact);
      const { message, result } = made;
      if (!result.ok) return result;
      const wishes = {
        trackOpens: campaign.trackOpens ?? undefined,
        trackClicks: campaign.trackClicks ?? undefined,
      };
      const html = decorate(message, wishes, result.html);
      return { ok: true as const, html, plainHtml: result.html, text: result.text };
    }),
  );
  const problem = results.find((one) => !one.ok);
  return {
    samples: results.filter((one) => one.ok),
    problem: problem?.ok === false ? problem.reason : null,
  };
}
