// The next hop of a message: the mail hosts of a domain, or a relay that was configured by its URL.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import type { Config } from '../../core/base/config.ts';
import type { Route } from '../../core/base/setting-kinds.ts';
import type { Source } from '../../core/base/egress-pools.ts';
import type { Dns } from '../../core/clients/dns.ts';
import type { FindProvider } from '../../core/mailbox-provider/find-provider.ts';
import type { MailboxProvider } from '../../core/mailbox-provider/provider-table.ts';
import type { Endpoint } from './connection.ts';
import { failed, type Failed } from './failure.ts';
import { findAddresses, findMailHosts, siteOf } from './mx.ts';
import {
  findDemand,
  findHostPolicy,
  type AllowedHost,
  type DemandDeps,
  type TlsDemand,
} from './tls-demand.ts';

/** A next hop. `key` is the same for all messages that share its connections. */
export interface Target {
  key: string;
  /** Whose limits hold there: the provider of the best host. Null of nobody known, and of a relay. */
  provider: MailboxProvider | null;
  /** The address that its connections leave from; null: the system's own. */
  source: Source | null;
  /** Host names to try in one attempt, best first: of many, other ones each time. */
  hosts(): string[];
  /** The endpoints of one host to try in one attempt: of many, other ones each time. */
  endpoints(host: string): Promise<Endpoint[] | Failed>;
}

/** The settings that say how to connect. */
type OutboundConfig = Pick<
  Config,
  | 'OUTBOUND_HOSTNAME'
  | 'OUTBOUND_SMTP_PORT'
  | 'OUTBOUND_TLS'
  | 'OUTBOUND_ALLOW_PRIVATE'
  | 'OUTBOUND_TIMEOUT_SECONDS'
  | 'OUTBOUND_DOT_TIMEOUT_SECONDS'
>;

/** What looking for a next hop needs. */
export interface TargetDeps extends DemandDeps {
  config: OutboundConfig;
  dns: Dns;
  findProvider: FindProvider;
  random: () => number;
}

/** The next hop of a message to a domain by a route, or why there is none. */
export async function findTarget(deps: TargetDeps, route: Route, domain: string): Promise<Target | Failed> {
  if (route.url !== undefined) return relayTarget(deps.config, route.name, new URL(route.url));
  const found = await findMailHosts(deps.dns, domain, deps.random);
  if (!found.ok) return dnsFailure(found);
  if (deps.config.OUTBOUND_TLS === 'off')
    return mxTarget(
      deps,
      found.hosts.map((host) => ({ host, policy: null })),
    );
  const judged = await Promise.all(found.hosts.map((host) => findHostPolicy(deps, domain, host)));
  const allowed = judged.filter((one): one is AllowedHost => !('kind' in one));
  return allowed.length > 0
    ? mxTarget(deps, allowed)
    : judged.findLast((one): one is Failed => 'kind' in one)!;
}

/** The same next hop by connections that leave from one address, with its name in EHLO, to hosts of its family. */
export function fromSource(target: Target, source: Source): Target {
  const family = isIP(source.address);
  return {
    ...target,
    key: `${target.key} from ${source.address}`,
    source,
    endpoints: async (host) => {
      const found = await target.endpoints(host);
      if (!Array.isArray(found)) return found;
      const able = found.filter(({ address }) => isIP(address) === family);
      if (able.length === 0)
        return failed('connect', `${host} has no IPv${family} address, which ${source.address} needs`);
      return able.map((one) => ({ ...one, helo: source.hostname, localAddress: source.address }));
    },
  };
}

// Its key keeps connections that were verified apart from those that anybody may use.
function mxTarget(deps: TargetDeps, hosts: AllowedHost[]): Target {
  const { config, dns } = deps;
  return {
    key: `site ${siteOf(hosts.map(({ host, policy }) => (policy === null ? host : `${host} ${policy}`)))}`,
    provider: deps.findProvider(hosts[0]!.host),
    source: null,
    hosts: () => chosenHosts(hosts, deps.random),
    endpoints: async (host) => {
      const answer = await findAddresses(dns, host, config.OUTBOUND_ALLOW_PRIVATE);
      if (!answer.ok) return dnsFailure(answer);
      const demand = await findDemand(
        deps,
        hosts.find((one) => one.host === host)!,
      );
      if (demand !== null && 'kind' in demand) return demand;
      const { addresses } = answer;
      const chosen =
        addresses.length > TRIED_ADDRESSES
          ? shuffled(addresses, deps.random).slice(0, TRIED_ADDRESSES)
          : addresses;
      return chosen.map((address) => mxEndpoint(config, host, address, demand));
    },
  };
}

// RFC 5321 section 5.1 wants every address tried, in one attempt or over several. So that an attempt ends in time, it has at most
// so many: the best hosts and some of the rest, of which each gets its turn by chance.
const TRIED_HOSTS = 8;
const BEST_HOSTS = 6;
const TRIED_ADDRESSES = 4;

function chosenHosts(hosts: AllowedHost[], random: () => number): string[] {
  const names = hosts.map(({ host }) => host);
  if (names.length <= TRIED_HOSTS) return names;
  const rest = new Set(shuffled(names.slice(BEST_HOSTS), random).slice(0, TRIED_HOSTS - BEST_HOSTS));
  return names.filter((name, at) => at < BEST_HOSTS || rest.has(name));
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, tie: random() }))
    .toSorted((a, b) => a.tie - b.tie)
    .map(({ one }) => one);
}

function dnsFailure(answer: { permanent: boolean; enhanced: string; reason: string }): Failed {
  const { permanent, enhanced } = answer;
  return { ...failed('dns', answer.reason), permanent, enhanced };
}

function mxEndpoint(
  config: OutboundConfig,
  host: string,
  address: string,
  demand: TlsDemand | null,
): Endpoint {
  return {
    host,
    address,
    port: config.OUTBOUND_SMTP_PORT,
    implicitTls: false,
    startTls: demand === null ? config.OUTBOUND_TLS : 'required',
    verify: false,
    demand,
    auth: null,
    ...ourSide(config),
  };
}

function ourSide(
  config: OutboundConfig,
): Pick<Endpoint, 'helo' | 'localAddress' | 'timeoutMs' | 'dotTimeoutMs'> {
  return {
    helo: config.OUTBOUND_HOSTNAME,
    localAddress: null,
    timeoutMs: config.OUTBOUND_TIMEOUT_SECONDS * 1000,
    dotTimeoutMs: config.OUTBOUND_DOT_TIMEOUT_SECONDS * 1000,
  };
}

// smtp[s]://user:password@host:port?tls=opportunistic|required|off. With a login, TLS is required and the certificate
// must fit the name, unless the URL says otherwise: a password goes to nobody who merely answers.
function relayTarget(config: OutboundConfig, name: string, url: URL): Target {
  const implicitTls = url.protocol === 'smtps:';
  const auth =
    url.username === ''
      ? null
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const wanted = url.searchParams.get('tls');
  const startTls: Endpoint['startTls'] =
    wanted === 'required' || wanted === 'off' || wanted === 'opportunistic'
      ? wanted
      : auth
        ? 'required'
        : 'opportunistic';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const endpoint = {
    host,
    port: Number(url.port) || (implicitTls ? 465 : 25),
    implicitTls,
    startTls,
    verify: implicitTls || startTls === 'required',
    demand: null,
    auth,
    ...ourSide(config),
  };
  return {
    key: `relay ${name}`,
    provider: null,
    source: null,
    hosts: () => [host],
    // The system's own look-up: a relay may be named in /etc/hosts or by the container platform.
    endpoints: () =>
      lookup(host, { all: true }).then(
        (found) => found.map(({ address }) => ({ ...endpoint, address })),
        (error: Error) => failed('dns', error.message),
      ),
  };
}
