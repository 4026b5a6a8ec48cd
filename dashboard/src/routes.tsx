// Every path and its page. A page is a named export of its own file, loaded when it is first shown. The first path
// that matches is used, so `/campaigns/new` comes before `/campaigns/:id`.

import { lazyPage, type LazyPage } from './lazy-page.ts';

/** In the place of all pages for who has yet to set up a second factor. */
export const SecondFactorMissingPage = lazyPage(
  () => import('./pages/entry/second-factor-missing.tsx'),
  'SecondFactorMissingPage',
);
const OverviewPage = lazyPage(() => import('./pages/overview/overview.tsx'), 'OverviewPage');
const SendPage = lazyPage(() => import('./pages/send/send.tsx'), 'SendPage');
const MessagesPage = lazyPage(() => import('./pages/messages/messages.tsx'), 'MessagesPage');
const MessagePage = lazyPage(() => import('./pages/messages/message.tsx'), 'MessagePage');
const TemplatesPage = lazyPage(() => import('./pages/templates/templates.tsx'), 'TemplatesPage');
const TemplatePage = lazyPage(() => import('./pages/templates/template.tsx'), 'TemplatePage');
const CampaignsPage = lazyPage(() => import('./pages/campaigns/campaigns.tsx'), 'CampaignsPage');
const CampaignEditPage = lazyPage(() => import('./pages/campaigns/campaign-edit.tsx'), 'CampaignEditPage');
const CampaignPage = lazyPage(() => import('./pages/campaigns/campaign.tsx'), 'CampaignPage');
const ContactsPage = lazyPage(() => import('./pages/contacts/contacts.tsx'), 'ContactsPage');
const ContactListsPage = lazyPage(() => import('./pages/contacts/lists.tsx'), 'ContactListsPage');
const ContactImportsPage = lazyPage(() => import('./pages/contacts/imports.tsx'), 'ContactImportsPage');
const ContactImportPage = lazyPage(() => import('./pages/contacts/import.tsx'), 'ContactImportPage');
const ContactPage = lazyPage(() => import('./pages/contacts/contact.tsx'), 'ContactPage');
const SuppressionsPage = lazyPage(() => import('./pages/suppressions/suppressions.tsx'), 'SuppressionsPage');
const EventsPage = lazyPage(() => import('./pages/events/events.tsx'), 'EventsPage');
const DomainsPage = lazyPage(() => import('./pages/domains/domains.tsx'), 'DomainsPage');
const DomainPage = lazyPage(() => import('./pages/domains/domain.tsx'), 'DomainPage');
const DomainReportsPage = lazyPage(() => import('./pages/domains/reports.tsx'), 'DomainReportsPage');
const ReputationPage = lazyPage(() => import('./pages/reputation/reputation.tsx'), 'ReputationPage');
const ProvidersPage = lazyPage(() => import('./pages/providers/providers.tsx'), 'ProvidersPage');
const AnalyticsPage = lazyPage(() => import('./pages/analytics/analytics.tsx'), 'AnalyticsPage');
const InboundPage = lazyPage(() => import('./pages/inbound/inbound.tsx'), 'InboundPage');
const MailboxesPage = lazyPage(() => import('./pages/inbound/mailboxes.tsx'), 'MailboxesPage');
const InboundWebhookPage = lazyPage(() => import('./pages/inbound/webhook.tsx'), 'InboundWebhookPage');
const InboundMessagePage = lazyPage(
  () => import('./pages/inbound/inbound-message.tsx'),
  'InboundMessagePage',
);
const WebhooksPage = lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage');
const WebhookPage = lazyPage(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage');
const WebhookDeliveryPage = lazyPage(() => import('./pages/webhooks/delivery.tsx'), 'WebhookDeliveryPage');
const AlertsPage = lazyPage(() => import('./pages/alerts/alerts.tsx'), 'AlertsPage');
const PeoplePage = lazyPage(() => import('./pages/people/people.tsx'), 'PeoplePage');
const SsoPage = lazyPage(() => import('./pages/sso/sso.tsx'), 'SsoPage');
const AuditPage = lazyPage(() => import('./pages/audit/audit.tsx'), 'AuditPage');
const HealthPage = lazyPage(() => import('./pages/admin/health.tsx'), 'HealthPage');
const TenantsPage = lazyPage(() => import('./pages/admin/tenants.tsx'), 'TenantsPage');
const TenantPage = lazyPage(() => import('./pages/admin/tenant.tsx'), 'TenantPage');
const SourcesPage = lazyPage(() => import('./pages/admin/sources.tsx'), 'SourcesPage');
const JobsPage = lazyPage(() => import('./pages/admin/jobs.tsx'), 'JobsPage');
const ApiKeysPage = lazyPage(() => import('./pages/keys/api-keys.tsx'), 'ApiKeysPage');
const ProfilePage = lazyPage(() => import('./pages/profile/profile.tsx'), 'ProfilePage');
const DocsPage = lazyPage(() => import('./pages/docs/docs.tsx'), 'DocsPage');
const DocPage = lazyPage(() => import('./pages/docs/doc.tsx'), 'DocPage');
const NotFoundPage = lazyPage(() => import('./pages/entry/not-found.tsx'), 'NotFoundPage');
const SignInPage = lazyPage(() => import('./pages/entry/sign-in.tsx'), 'SignInPage');
const ForgotPasswordPage = lazyPage(() => import('./pages/entry/forgot-password.tsx'), 'ForgotPasswordPage');
const ResetPasswordPage = lazyPage(() => import('./pages/entry/reset-password.tsx'), 'ResetPasswordPage');
const AcceptInvitationPage = lazyPage(
  () => import('./pages/entry/accept-invitation.tsx'),
  'AcceptInvitationPage',
);

/** A path in wouter's words, and what it shows. */
export interface PageRoute {
  path: string;
  page: LazyPage;
}

/** Pages for signed-in people, inside the shell. */
export const ROUTES: readonly PageRoute[] = [
  { path: '/', page: OverviewPage },
  { path: '/analytics', page: AnalyticsPage },
  { path: '/send', page: SendPage },
  { path: '/messages', page: MessagesPage },
  { path: '/messages/:id', page: MessagePage },
  { path: '/templates', page: TemplatesPage },
  { path: '/templates/:id', page: TemplatePage },
  { path: '/campaigns', page: CampaignsPage },
  { path: '/campaigns/new', page: CampaignEditPage },
  { path: '/campaigns/:id/edit/:step?', page: CampaignEditPage },
  { path: '/campaigns/:id', page: CampaignPage },
  { path: '/contacts', page: ContactsPage },
  { path: '/contacts/lists', page: ContactListsPage },
  { path: '/contacts/imports', page: ContactImportsPage },
  { path: '/contacts/imports/:id', page: ContactImportPage },
  { path: '/contacts/:id', page: ContactPage },
  { path: '/suppressions', page: SuppressionsPage },
  { path: '/events', page: EventsPage },
  { path: '/domains', page: DomainsPage },
  { path: '/domains/:id', page: DomainPage },
  { path: '/domains/:id/reports', page: DomainReportsPage },
  { path: '/reputation', page: ReputationPage },
  { path: '/providers', page: ProvidersPage },
  { path: '/inbound', page: InboundPage },
  { path: '/inbound/mailboxes', page: MailboxesPage },
  { path: '/inbound/webhook', page: InboundWebhookPage },
  { path: '/inbound/:id', page: InboundMessagePage },
  { path: '/alerts', page: AlertsPage },
  { path: '/webhooks', page: WebhooksPage },
  { path: '/webhooks/:id', page: WebhookPage },
  { path: '/webhooks/:id/deliveries/:delivery', page: WebhookDeliveryPage },
  { path: '/people', page: PeoplePage },
  { path: '/sso', page: SsoPage },
  { path: '/audit', page: AuditPage },
  { path: '/admin', page: HealthPage },
  { path: '/admin/tenants', page: TenantsPage },
  { path: '/admin/tenants/:id', page: TenantPage },
  { path: '/admin/sources', page: SourcesPage },
  { path: '/admin/jobs', page: JobsPage },
  { path: '/api-keys', page: ApiKeysPage },
  { path: '/profile', page: ProfilePage },
  { path: '/docs', page: DocsPage },
  { path: '/docs/:name', page: DocPage },
  { path: '*', page: NotFoundPage },
];

/** Pages that need no sign-in, outside the shell. */
export const OPEN_ROUTES: readonly PageRoute[] = [
  { path: '/sign-in', page: SignInPage },
  { path: '/forgot-password', page: ForgotPasswordPage },
  { path: '/reset-password/:token', page: ResetPasswordPage },
  { path: '/invite/:token', page: AcceptInvitationPage },
];
