// Where a domain's mail goes now, and what our MX record would change, in words.

interface MailServer {
  host: string;
  priority: number;
}

/** What to say. `moves`: publishing the record takes mail away from somebody. */
export interface MailNow {
  title: string;
  change: string;
  moves: boolean;
  servers: readonly MailServer[];
}

/** `ours`: the host of our MX record. `servers`: those published now; null when DNS did not answer. */
export function mailNow(domain: string, ours: string, servers: readonly MailServer[] | null): MailNow {
  if (servers === null)
    return {
      title: `We could not look up where mail to ${domain} goes now`,
      change: 'Look at its MX records before you publish this one: all mail follows them.',
      moves: true,
      servers: [],
    };
  const real = servers.filter(({ host }) => host !== '');
  const others = real.filter(({ host }) => plain(host) !== plain(ours));
  const here = others.length < real.length;
  if (others.length > 0)
    return {
      title: here
        ? `Mail to ${domain} goes to other servers as well`
        : `Mail to ${domain} goes to other servers now`,
      change: here
        ? `Remove the other MX records if all mail to ${domain} is to arrive here.`
        : `If you publish the record below in their place, mail to every address at ${domain} arrives here and no longer there. ` +
          `To keep your mailboxes, add a subdomain such as in.${domain} as a domain of its own and receive there.`,
      moves: true,
      servers: others,
    };
  if (here)
    return { title: `Mail to ${domain} arrives here`, change: 'Nothing to do.', moves: false, servers: [] };
  const refuses = servers.length > 0;
  return {
    title: refuses ? `${domain} says that it accepts no mail (null MX)` : `${domain} has no MX record`,
    change: refuses
      ? 'Replace that record with the one below to receive mail here.'
      : 'Publish the record below to receive mail here. No other mail server receives mail for it now.',
    moves: false,
    servers: [],
  };
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
