// Names of mailbox providers as people write them. One that is not here is shown as it is stored.

const NAMES: { [provider: string]: string } = {
  gmail: 'Gmail',
  outlook: 'Outlook.com',
  microsoft365: 'Microsoft 365',
  yahoo: 'Yahoo',
  'yahoo-japan': 'Yahoo! Japan',
  icloud: 'iCloud',
  gmx: 'GMX and WEB.DE',
  orange: 'Orange',
  comcast: 'Comcast',
  qq: 'QQ Mail',
  netease: 'NetEase',
  kpn: 'KPN',
  netvigator: 'Netvigator',
  barracuda: 'Barracuda',
  mimecast: 'Mimecast',
};

/** The name to show. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider;
}
