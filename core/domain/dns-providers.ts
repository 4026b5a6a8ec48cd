// Who runs a zone, by the names of its name servers, and what the fields of that provider's form are called. A wrong guess
// would send people to the wrong place, so there are only providers whose name servers are theirs alone. `guide` is the
// provider's own documentation, and the source of its row.

/** A DNS provider, in the words of its own pages. */
export interface DnsProvider {
  id: string;
  name: string;
  /** Where records are edited. */
  place: string;
  /** What its form calls the name of a record. */
  nameField: string;
  /** What its form calls the value of a record. */
  valueField: string;
  /** Names are given without the zone, which is added to them. */
  relativeNames: boolean;
  /** What stands for the zone itself, of relative names; empty: the field is left empty. */
  apex: string;
  /** A host name in a value needs a dot at its end, else the zone is added to it. */
  dottedValues: boolean;
  /** The provider's documentation. */
  guide: string;
}

/** What the whole name of a name server looks like. */
type ServerPattern = RegExp;

const TABLE: readonly (DnsProvider & { servers: ServerPattern })[] = [
  row('cloudflare', 'Cloudflare', /\.ns\.cloudflare\.com$/, {
    place: 'your domain, then DNS → Records → Add record; proxy status "DNS only"',
    nameField: 'Name',
    valueField: 'Content',
    guide: 'https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/',
  }),
  row('route53', 'Amazon Route 53', /^ns-\d+\.awsdns-\d+\.(?:com|net|org|co\.uk)$/, {
    place: 'Hosted zones → your zone → Create record; an MX value begins with its priority: "10 host"',
    nameField: 'Record name',
    apex: '',
    guide: 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-values-basic.html',
  }),
  row('godaddy', 'GoDaddy', /\.domaincontrol\.com$/, {
    place: 'your domain, then DNS → Add New Record',
    guide: 'https://www.godaddy.com/help/manage-dns-records-680',
  }),
  row('namecheap', 'Namecheap', /\.registrar-servers\.com$/, {
    place: 'Domain List → Manage → Advanced DNS; MX records under Mail Settings → Custom MX',
    nameField: 'Host',
    guide:
      'https://www.namecheap.com/support/knowledgebase/article.aspx/767/10/how-to-change-dns-for-a-domain/',
  }),
  row('google-cloud', 'Google Cloud DNS', /^ns-cloud-[a-e]\d\.googledomains\.com$/, {
    place:
      'Cloud DNS → your zone → Add standard (of domains that moved from Google Domains: Squarespace → DNS settings)',
    nameField: 'DNS name',
    valueField: 'Data',
    apex: '',
    dottedValues: true,
    guide: 'https://cloud.google.com/dns/docs/records',
  }),
  row('squarespace', 'Squarespace', /\.squarespacedns\.com$/, {
    place: 'Domains → your domain → DNS → DNS settings → Add record',
    nameField: 'Host',
    valueField: 'Data',
    guide: 'https://support.squarespace.com/hc/en-us/articles/360002101888',
  }),
  row('ovh', 'OVHcloud', /\.(?:ovh\.net|ovh\.ca|anycast\.me)$/, {
    place: 'Web Cloud → Domain names → your domain → DNS zone → Add an entry',
    nameField: 'Sub-domain',
    valueField: 'Target',
    apex: '',
    dottedValues: true,
    guide: 'https://help.ovhcloud.com/csm/en-dns-edit-dns-zone?id=kb_article_view&sysparm_article=KB0051682',
  }),
  row('hetzner', 'Hetzner', /\.(?:ns\.hetzner\.(?:com|de)|first-ns\.de|second-ns\.(?:de|com))$/, {
    place: 'DNS → your zone → Records → Add record',
    dottedValues: true,
    guide: 'https://docs.hetzner.com/networking/dns/faq/records',
  }),
  row('ionos', 'IONOS', /\.ui-dns\.(?:com|de|org|biz)$/, {
    place: 'Domains & SSL → your domain → DNS → Add record',
    nameField: 'Host name',
    valueField: 'Value, or "Points to"',
    guide: 'https://www.ionos.com/help/domains/configuring-your-ip-address/',
  }),
  row('gandi', 'Gandi', /\.gandi\.net$/, {
    place: 'Domain → your domain → DNS Records → Add record',
    valueField: 'Value, or "Hostname"',
    dottedValues: true,
    guide: 'https://docs.gandi.net/en/domain_names/common_operations/dns_records.html',
  }),
  row('digitalocean', 'DigitalOcean', /^ns\d\.digitalocean\.com$/, {
    place: 'Networking → Domains → your domain → Create new record',
    nameField: 'Hostname',
    dottedValues: true,
    guide: 'https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/',
  }),
  row('azure', 'Azure DNS', /^ns\d-\d+\.azure-dns\.(?:com|net|org|info)$/, {
    place: 'DNS zones → your zone → Recordsets → Add',
    guide: 'https://learn.microsoft.com/azure/dns/dns-operations-recordsets-portal',
  }),
  row('linode', 'Linode (Akamai)', /^ns\d\.linode\.com$/, {
    place: 'Domains → your domain → Add a record',
    nameField: 'Hostname',
    apex: '',
    guide: 'https://techdocs.akamai.com/cloud-computing/docs/manage-dns-records',
  }),
  row('porkbun', 'Porkbun', /\.porkbun\.com$/, {
    place: 'Domain Management → your domain → DNS',
    nameField: 'Host',
    valueField: 'Answer',
    apex: '',
    guide: 'https://kb.porkbun.com/article/231-how-to-add-dns-records-on-porkbun',
  }),
  row('vercel', 'Vercel', /\.vercel-dns\.com$/, {
    place: 'Domains → your domain → DNS Records',
    guide: 'https://vercel.com/docs/domains/managing-dns-records',
  }),
  row('wix', 'Wix', /\.wixdns\.net$/, {
    place: 'Domains → your domain → Manage DNS Records',
    nameField: 'Host name',
    guide: 'https://support.wix.com/en/article/managing-dns-records-in-your-wix-account',
  }),
];

/** The provider of a zone by its name servers; null when they are of several, or of one that is not in the table. */
export function dnsProviderOf(nameServers: readonly string[]): DnsProvider | null {
  const names = nameServers.map((name) => name.toLowerCase().replace(/\.$/, ''));
  const found = new Set(names.map((name) => TABLE.find(({ servers }) => servers.test(name)) ?? null));
  const [only] = found;
  return found.size === 1 ? (only ?? null) : null;
}

function row(
  id: string,
  name: string,
  servers: ServerPattern,
  own: Partial<DnsProvider> & Pick<DnsProvider, 'place' | 'guide'>,
): DnsProvider & { servers: ServerPattern } {
  const usual = {
    nameField: 'Name',
    valueField: 'Value',
    relativeNames: true,
    apex: '@',
    dottedValues: false,
  };
  return { id, name, servers, ...usual, ...own };
}
