// The next hop of a message: the mail hosts of a domain, or a relay that was configured by its URL.

import { lookup } from 'node:dns/promises';

import type { Config, Route } from '../../core/base/config.ts';
import type { Dns } from '../../core/clients/dns.ts';
import type { Endpoint } from './connection.ts';
import { failed, type Failed } from './failure.ts';
import { findAddresses, findMailHosts, siteOf } from './mx.ts';

/** A next hop. `key` is the same for all messages that share its connections. */
export interface Target {
  key: string;
  /** Host names, best first. */
  hosts: string[];
  /** The endpoints of one host. */
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
export interface TargetDeps {
  config: OutboundConfig;
  dns: Dns;
  random: () => number;
}

/** The next hop of a message to a domain by a route, or why there is none. */
export async function findTarget(deps: TargetDeps, route: Route, domain: string): Promise<Target | Failed> {
  if (route.url !== undefined) return relayTarget(deps.config, route.name, new URL(route.url));
  const found = await findMailHosts(deps.dns, domain, deps.random);
  if (!found.ok) return dnsFailure(found);
  return {
    key: `site ${siteOf(found.hosts)}`,
    hosts: found.hosts,
    endpoints: async (host) => {
      const answer = await findAddresses(deps.dns, host, deps.config.OUTBOUND_ALLOW_PRIVATE);
      if (!answer.ok) return dnsFailure(answer);
      return answer.addresses.map((address) => mxEndpoint(deps.config, host, address));
    },
  };
}

function dnsFailure(answer: { permanent: boolean; enhanced: string; reason: string }): Failed {
  const { permanent, enhanced } = answer;
  return { ...failed('dns', answer.reason), permanent, enhanced };
}

function mxEndpoint(config: OutboundConfig, host: string, address: string): Endpoint {
  return {
    host,
    address,
    port: config.OUTBOUND_SMTP_PORT,
    implicitTls: false,
    startTls: config.OUTBOUND_TLS,
    verify: false,
    auth: null,
    ...ourSide(config),
  };
}

function ourSide(config: OutboundConfig): Pick<Endpoint, 'helo' | 'timeoutMs' | 'dotTimeoutMs'> {
  return {
    helo: config.OUTBOUND_HOSTNAME,
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
    auth,
    ...ourSide(config),
  };
  return {
    key: `relay ${name}`,
    hosts: [host],
    // The system's own look-up: a relay may be named in /etc/hosts or by the container platform.
    endpoints: () =>
      lookup(host, { all: true }).then(
        (found) => found.map(({ address }) => ({ ...endpoint, address })),
        (error: Error) => failed('dns', error.message),
      ),
  };
}
