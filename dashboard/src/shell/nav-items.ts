// The entries of the side navigation, in groups.

import {
  Activity,
  AtSign,
  Ban,
  ChartColumn,
  Bell,
  BuildingComplex,
  ChartColumnStacked,
  FileText,
  Gauge,
  Globe,
  HeartPulse,
  Inbox,
  KeyRound,
  Mail,
  Megaphone,
  Network,
  RadioTower,
  ScrollText,
  SendHorizontal,
  ServerCog,
  ShieldCheck,
  Timer,
  UserRoundCog,
  Users,
  Webhook,
} from '../gen/icons.ts';
import type { IconType } from '../ui/make-icon.ts';

interface NavItem {
  path: string;
  label: string;
  icon: IconType;
  /** Not for viewers: the page is of use only to who may change something. */
  writes?: true;
}

/** Entries under one heading; `for` says who sees them. */
export interface NavGroup {
  label: string;
  for: 'everyone' | 'owner' | 'superAdmin';
  items: readonly NavItem[];
}

/** All groups, in order. */
export const NAV_GROUPS: readonly NavGroup[] = [
  {
    label: 'Sending',
    for: 'everyone',
    items: [
      { path: '/', label: 'Overview', icon: ChartColumn },
      { path: '/send', label: 'Send', icon: SendHorizontal, writes: true },
      { path: '/messages', label: 'Messages', icon: Mail },
      { path: '/events', label: 'Events', icon: Activity },
      { path: '/analytics', label: 'Analytics', icon: ChartColumnStacked },
    ],
  },
  {
    label: 'Audience',
    for: 'everyone',
    items: [
      { path: '/campaigns', label: 'Campaigns', icon: Megaphone },
      { path: '/templates', label: 'Templates', icon: FileText },
      { path: '/contacts', label: 'Contacts', icon: Users },
      { path: '/suppressions', label: 'Suppressions', icon: Ban },
    ],
  },
  {
    label: 'Delivery',
    for: 'everyone',
    items: [
      { path: '/domains', label: 'Domains', icon: Globe },
      { path: '/reputation', label: 'Reputation', icon: Gauge },
      { path: '/providers', label: 'Mailbox providers', icon: ServerCog },
    ],
  },
  {
    label: 'Inbound',
    for: 'everyone',
    items: [
      { path: '/inbound', label: 'Inbox', icon: Inbox },
      { path: '/inbound/mailboxes', label: 'Mailboxes', icon: AtSign },
      { path: '/inbound/webhook', label: 'Webhook', icon: Webhook },
    ],
  },
  {
    label: 'Account',
    for: 'everyone',
    items: [
      { path: '/alerts', label: 'Alerts', icon: Bell },
      { path: '/webhooks', label: 'Event webhooks', icon: RadioTower },
      { path: '/api-keys', label: 'API keys', icon: KeyRound },
      { path: '/people', label: 'People', icon: UserRoundCog },
    ],
  },
  {
    label: 'Security',
    for: 'owner',
    items: [
      { path: '/sso', label: 'Single sign-on', icon: ShieldCheck },
      { path: '/audit', label: 'Audit log', icon: ScrollText },
    ],
  },
  {
    label: 'Operations',
    for: 'superAdmin',
    items: [
      { path: '/admin', label: 'Service health', icon: HeartPulse },
      { path: '/admin/tenants', label: 'Tenants', icon: BuildingComplex },
      { path: '/admin/sources', label: 'Sending addresses', icon: Network },
      { path: '/admin/jobs', label: 'Jobs', icon: Timer },
    ],
  },
];

/** The entry that is current at a path: the longest one that the path lies in. */
export function currentItem(location: string): string {
  const paths = NAV_GROUPS.flatMap((group) => group.items.map((item) => item.path));
  const fits = (path: string) => location === path || (path !== '/' && location.startsWith(`${path}/`));
  return paths.filter(fits).toSorted((a, b) => b.length - a.length)[0] ?? '';
}
