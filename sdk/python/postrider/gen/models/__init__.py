"""Contains all the data models used in inputs/outputs"""

from .add_suppressions_request import AddSuppressionsRequest
from .add_suppressions_request_reason import AddSuppressionsRequestReason
from .added_suppressions import AddedSuppressions
from .alert import Alert
from .alert_kind import AlertKind
from .alert_page import AlertPage
from .alert_rule import AlertRule
from .alert_rule_page import AlertRulePage
from .alert_settings import AlertSettings
from .analytics import Analytics
from .analytics_annotation import AnalyticsAnnotation
from .analytics_annotation_kind import AnalyticsAnnotationKind
from .analytics_group import AnalyticsGroup
from .analytics_limit import AnalyticsLimit
from .analytics_limit_rate import AnalyticsLimitRate
from .analytics_period import AnalyticsPeriod
from .analytics_period_day import AnalyticsPeriodDay
from .analytics_period_totals import AnalyticsPeriodTotals
from .analytics_previous import AnalyticsPrevious
from .analytics_previous_day import AnalyticsPreviousDay
from .analytics_previous_totals import AnalyticsPreviousTotals
from .batch_item_error import BatchItemError
from .batch_item_error_detail import BatchItemErrorDetail
from .campaign import Campaign
from .campaign_audience_all import CampaignAudienceAll
from .campaign_audience_list_id import CampaignAudienceListId
from .campaign_audience_tag import CampaignAudienceTag
from .campaign_change import CampaignChange
from .campaign_change_audience_all import CampaignChangeAudienceAll
from .campaign_change_audience_list_id import CampaignChangeAudienceListId
from .campaign_change_audience_tag import CampaignChangeAudienceTag
from .campaign_create import CampaignCreate
from .campaign_create_audience_all import CampaignCreateAudienceAll
from .campaign_create_audience_list_id import CampaignCreateAudienceListId
from .campaign_create_audience_tag import CampaignCreateAudienceTag
from .campaign_eta import CampaignEta
from .campaign_page import CampaignPage
from .campaign_preflight import CampaignPreflight
from .campaign_preflight_audience import CampaignPreflightAudience
from .campaign_preflight_audience_left_out_item import (
    CampaignPreflightAudienceLeftOutItem,
)
from .campaign_preflight_audience_left_out_item_reason import (
    CampaignPreflightAudienceLeftOutItemReason,
)
from .campaign_preflight_plan import CampaignPreflightPlan
from .campaign_preflight_plan_day import CampaignPreflightPlanDay
from .campaign_report import CampaignReport
from .campaign_report_by import CampaignReportBy
from .campaign_report_link import CampaignReportLink
from .campaign_report_point import CampaignReportPoint
from .campaign_stats import CampaignStats
from .campaign_status import CampaignStatus
from .change_alert_rule_request import ChangeAlertRuleRequest
from .change_alert_settings_request import ChangeAlertSettingsRequest
from .change_domain_request import ChangeDomainRequest
from .change_domain_request_spam_policy import ChangeDomainRequestSpamPolicy
from .change_inbound_message_request import ChangeInboundMessageRequest
from .change_inbound_webhook_request import ChangeInboundWebhookRequest
from .change_inbound_webhook_result import ChangeInboundWebhookResult
from .change_inbound_webhook_rotate_secret import ChangeInboundWebhookRotateSecret
from .change_list_request import ChangeListRequest
from .change_mailbox_request import ChangeMailboxRequest
from .change_message_settings_request import ChangeMessageSettingsRequest
from .change_template_request import ChangeTemplateRequest
from .change_template_request_test_data import ChangeTemplateRequestTestData
from .change_template_request_variable import ChangeTemplateRequestVariable
from .change_webhook_request import ChangeWebhookRequest
from .contact import Contact
from .contact_attributes import ContactAttributes
from .contact_change import ContactChange
from .contact_change_attributes import ContactChangeAttributes
from .contact_change_status import ContactChangeStatus
from .contact_create import ContactCreate
from .contact_create_attributes import ContactCreateAttributes
from .contact_create_status import ContactCreateStatus
from .contact_export_filter import ContactExportFilter
from .contact_export_filter_status import ContactExportFilterStatus
from .contact_export_request import ContactExportRequest
from .contact_list import ContactList
from .contact_list_page import ContactListPage
from .contact_page import ContactPage
from .contact_status import ContactStatus
from .create_alert_rule_request import CreateAlertRuleRequest
from .create_domain_request import CreateDomainRequest
from .create_list_request import CreateListRequest
from .create_mailbox_request import CreateMailboxRequest
from .create_template_request import CreateTemplateRequest
from .create_template_request_test_data import CreateTemplateRequestTestData
from .create_template_request_variable import CreateTemplateRequestVariable
from .create_webhook_request import CreateWebhookRequest
from .create_webhook_request_format import CreateWebhookRequestFormat
from .decision import Decision
from .decision_inputs import DecisionInputs
from .decision_outcome import DecisionOutcome
from .decision_outcome_state import DecisionOutcomeState
from .deleted import Deleted
from .dns_record import DnsRecord
from .dns_record_purpose import DnsRecordPurpose
from .dns_record_status import DnsRecordStatus
from .dns_record_type import DnsRecordType
from .domain import Domain
from .domain_brake import DomainBrake
from .domain_brake_numbers import DomainBrakeNumbers
from .domain_brake_numbers_measure import DomainBrakeNumbersMeasure
from .domain_brake_state import DomainBrakeState
from .domain_dkim import DomainDkim
from .domain_dkim_algorithm import DomainDkimAlgorithm
from .domain_dkim_status import DomainDkimStatus
from .domain_page import DomainPage
from .domain_report import DomainReport
from .domain_report_page import DomainReportPage
from .domain_report_type import DomainReportType
from .domain_spam_policy import DomainSpamPolicy
from .domain_status import DomainStatus
from .domain_tracking_host import DomainTrackingHost
from .domain_tracking_host_status import DomainTrackingHostStatus
from .domain_warmup import DomainWarmup
from .domain_warmup_state import DomainWarmupState
from .download_campaign_recipients_filter import DownloadCampaignRecipientsFilter
from .event import Event
from .event_data import EventData
from .event_export_filter import EventExportFilter
from .event_export_filter_type import EventExportFilterType
from .event_export_request import EventExportRequest
from .event_page import EventPage
from .event_type import EventType
from .explain_message_result import ExplainMessageResult
from .export import Export
from .export_kind import ExportKind
from .export_status import ExportStatus
from .failed_recipient import FailedRecipient
from .failed_recipient_page import FailedRecipientPage
from .get_analytics_group_by import GetAnalyticsGroupBy
from .import_ import Import
from .import_contacts_update_existing import ImportContactsUpdateExisting
from .import_error import ImportError_
from .import_request import ImportRequest
from .import_request_contact import ImportRequestContact
from .import_request_contact_attributes import ImportRequestContactAttributes
from .import_request_contact_status import ImportRequestContactStatus
from .import_status import ImportStatus
from .import_summary import ImportSummary
from .import_summary_page import ImportSummaryPage
from .import_summary_status import ImportSummaryStatus
from .inbound_message import InboundMessage
from .inbound_message_attachment import InboundMessageAttachment
from .inbound_message_auth import InboundMessageAuth
from .inbound_message_header import InboundMessageHeader
from .inbound_scan import InboundScan
from .inbound_scan_reason import InboundScanReason
from .inbound_scan_symbol import InboundScanSymbol
from .inbound_scan_verdict import InboundScanVerdict
from .inbound_summary import InboundSummary
from .inbound_summary_attachment import InboundSummaryAttachment
from .inbound_summary_auth import InboundSummaryAuth
from .inbound_summary_page import InboundSummaryPage
from .inbound_webhook import InboundWebhook
from .launch_campaign_request import LaunchCampaignRequest
from .list_alerts_status import ListAlertsStatus
from .list_campaigns_status import ListCampaignsStatus
from .list_contacts_status import ListContactsStatus
from .list_domain_reports_type import ListDomainReportsType
from .list_events_order import ListEventsOrder
from .list_inbound_messages_junk import ListInboundMessagesJunk
from .list_inbound_messages_read import ListInboundMessagesRead
from .list_messages_status import ListMessagesStatus
from .list_providers_result import ListProvidersResult
from .list_suppressions_reason import ListSuppressionsReason
from .list_webhook_deliveries_event_type import ListWebhookDeliveriesEventType
from .list_webhook_deliveries_status import ListWebhookDeliveriesStatus
from .mailbox import Mailbox
from .mailbox_page import MailboxPage
from .message import Message
from .message_attempt import MessageAttempt
from .message_attempt_certificate import MessageAttemptCertificate
from .message_attempt_source import MessageAttemptSource
from .message_attempt_tls_policy import MessageAttemptTlsPolicy
from .message_change import MessageChange
from .message_content import MessageContent
from .message_content_attachment import MessageContentAttachment
from .message_content_header import MessageContentHeader
from .message_event import MessageEvent
from .message_event_data import MessageEventData
from .message_export_filter import MessageExportFilter
from .message_export_filter_status import MessageExportFilterStatus
from .message_export_request import MessageExportRequest
from .message_recipient import MessageRecipient
from .message_recipient_status import MessageRecipientStatus
from .message_settings import MessageSettings
from .message_status import MessageStatus
from .message_summary import MessageSummary
from .message_summary_page import MessageSummaryPage
from .message_summary_status import MessageSummaryStatus
from .message_summary_tag import MessageSummaryTag
from .message_tag import MessageTag
from .preflight import Preflight
from .preflight_check import PreflightCheck
from .preflight_check_id import PreflightCheckId
from .preflight_check_status import PreflightCheckStatus
from .preview_template_request import PreviewTemplateRequest
from .preview_template_request_variables import PreviewTemplateRequestVariables
from .preview_template_result import PreviewTemplateResult
from .provider_figures import ProviderFigures
from .provider_figures_limits import ProviderFiguresLimits
from .provider_figures_top_replie import ProviderFiguresTopReplie
from .remove_suppression_result import RemoveSuppressionResult
from .replay_webhook_delivery_result import ReplayWebhookDeliveryResult
from .replay_webhook_request import ReplayWebhookRequest
from .replay_webhook_request_status import ReplayWebhookRequestStatus
from .replay_webhook_result import ReplayWebhookResult
from .report_source import ReportSource
from .report_source_dkim import ReportSourceDkim
from .report_source_spf import ReportSourceSpf
from .reputation import Reputation
from .reputation_daily_item import ReputationDailyItem
from .reputation_metrics import ReputationMetrics
from .reputation_page import ReputationPage
from .reputation_part import ReputationPart
from .reputation_part_part import ReputationPartPart
from .reputation_warmup import ReputationWarmup
from .resend_message_request import ResendMessageRequest
from .restore_template_version_request import RestoreTemplateVersionRequest
from .retry_failed_recipients_result import RetryFailedRecipientsResult
from .send_answer import SendAnswer
from .send_answer_reason import SendAnswerReason
from .send_answer_recipient import SendAnswerRecipient
from .send_answer_recipient_status import SendAnswerRecipientStatus
from .send_answer_status import SendAnswerStatus
from .send_answer_warmup import SendAnswerWarmup
from .send_batch_request import SendBatchRequest
from .send_batch_result import SendBatchResult
from .send_campaign_test_request import SendCampaignTestRequest
from .send_campaign_test_result import SendCampaignTestResult
from .send_campaign_test_result_status import SendCampaignTestResultStatus
from .send_request import SendRequest
from .send_request_attachment import SendRequestAttachment
from .send_request_header import SendRequestHeader
from .send_request_headers import SendRequestHeaders
from .send_request_tag import SendRequestTag
from .send_request_variables import SendRequestVariables
from .suppression import Suppression
from .suppression_export_filter import SuppressionExportFilter
from .suppression_export_filter_reason import SuppressionExportFilterReason
from .suppression_export_request import SuppressionExportRequest
from .suppression_page import SuppressionPage
from .suppression_reason import SuppressionReason
from .template import Template
from .template_page import TemplatePage
from .template_test_data import TemplateTestData
from .template_variable import TemplateVariable
from .template_version import TemplateVersion
from .template_version_content import TemplateVersionContent
from .template_version_content_variable import TemplateVersionContentVariable
from .template_version_page import TemplateVersionPage
from .test_alert_chat_result import TestAlertChatResult
from .test_inbound_webhook_result import TestInboundWebhookResult
from .test_webhook_request import TestWebhookRequest
from .test_webhook_request_event_type import TestWebhookRequestEventType
from .test_webhook_result import TestWebhookResult
from .webhook import Webhook
from .webhook_delivery import WebhookDelivery
from .webhook_delivery_attempt import WebhookDeliveryAttempt
from .webhook_delivery_page import WebhookDeliveryPage
from .webhook_delivery_status import WebhookDeliveryStatus
from .webhook_event_type import WebhookEventType
from .webhook_page import WebhookPage
from .webhook_with_secret import WebhookWithSecret
from .whoami_result import WhoamiResult
from .whoami_result_key import WhoamiResultKey
from .whoami_result_key_scope import WhoamiResultKeyScope
from .whoami_result_quota import WhoamiResultQuota
from .whoami_result_tenant import WhoamiResultTenant
from .whoami_result_tenant_plan import WhoamiResultTenantPlan
from .whoami_result_user import WhoamiResultUser
from .whoami_result_user_role import WhoamiResultUserRole

__all__ = (
    "AddedSuppressions",
    "AddSuppressionsRequest",
    "AddSuppressionsRequestReason",
    "Alert",
    "AlertKind",
    "AlertPage",
    "AlertRule",
    "AlertRulePage",
    "AlertSettings",
    "Analytics",
    "AnalyticsAnnotation",
    "AnalyticsAnnotationKind",
    "AnalyticsGroup",
    "AnalyticsLimit",
    "AnalyticsLimitRate",
    "AnalyticsPeriod",
    "AnalyticsPeriodDay",
    "AnalyticsPeriodTotals",
    "AnalyticsPrevious",
    "AnalyticsPreviousDay",
    "AnalyticsPreviousTotals",
    "BatchItemError",
    "BatchItemErrorDetail",
    "Campaign",
    "CampaignAudienceAll",
    "CampaignAudienceListId",
    "CampaignAudienceTag",
    "CampaignChange",
    "CampaignChangeAudienceAll",
    "CampaignChangeAudienceListId",
    "CampaignChangeAudienceTag",
    "CampaignCreate",
    "CampaignCreateAudienceAll",
    "CampaignCreateAudienceListId",
    "CampaignCreateAudienceTag",
    "CampaignEta",
    "CampaignPage",
    "CampaignPreflight",
    "CampaignPreflightAudience",
    "CampaignPreflightAudienceLeftOutItem",
    "CampaignPreflightAudienceLeftOutItemReason",
    "CampaignPreflightPlan",
    "CampaignPreflightPlanDay",
    "CampaignReport",
    "CampaignReportBy",
    "CampaignReportLink",
    "CampaignReportPoint",
    "CampaignStats",
    "CampaignStatus",
    "ChangeAlertRuleRequest",
    "ChangeAlertSettingsRequest",
    "ChangeDomainRequest",
    "ChangeDomainRequestSpamPolicy",
    "ChangeInboundMessageRequest",
    "ChangeInboundWebhookRequest",
    "ChangeInboundWebhookResult",
    "ChangeInboundWebhookRotateSecret",
    "ChangeListRequest",
    "ChangeMailboxRequest",
    "ChangeMessageSettingsRequest",
    "ChangeTemplateRequest",
    "ChangeTemplateRequestTestData",
    "ChangeTemplateRequestVariable",
    "ChangeWebhookRequest",
    "Contact",
    "ContactAttributes",
    "ContactChange",
    "ContactChangeAttributes",
    "ContactChangeStatus",
    "ContactCreate",
    "ContactCreateAttributes",
    "ContactCreateStatus",
    "ContactExportFilter",
    "ContactExportFilterStatus",
    "ContactExportRequest",
    "ContactList",
    "ContactListPage",
    "ContactPage",
    "ContactStatus",
    "CreateAlertRuleRequest",
    "CreateDomainRequest",
    "CreateListRequest",
    "CreateMailboxRequest",
    "CreateTemplateRequest",
    "CreateTemplateRequestTestData",
    "CreateTemplateRequestVariable",
    "CreateWebhookRequest",
    "CreateWebhookRequestFormat",
    "Decision",
    "DecisionInputs",
    "DecisionOutcome",
    "DecisionOutcomeState",
    "Deleted",
    "DnsRecord",
    "DnsRecordPurpose",
    "DnsRecordStatus",
    "DnsRecordType",
    "Domain",
    "DomainBrake",
    "DomainBrakeNumbers",
    "DomainBrakeNumbersMeasure",
    "DomainBrakeState",
    "DomainDkim",
    "DomainDkimAlgorithm",
    "DomainDkimStatus",
    "DomainPage",
    "DomainReport",
    "DomainReportPage",
    "DomainReportType",
    "DomainSpamPolicy",
    "DomainStatus",
    "DomainTrackingHost",
    "DomainTrackingHostStatus",
    "DomainWarmup",
    "DomainWarmupState",
    "DownloadCampaignRecipientsFilter",
    "Event",
    "EventData",
    "EventExportFilter",
    "EventExportFilterType",
    "EventExportRequest",
    "EventPage",
    "EventType",
    "ExplainMessageResult",
    "Export",
    "ExportKind",
    "ExportStatus",
    "FailedRecipient",
    "FailedRecipientPage",
    "GetAnalyticsGroupBy",
    "Import",
    "ImportContactsUpdateExisting",
    "ImportError_",
    "ImportRequest",
    "ImportRequestContact",
    "ImportRequestContactAttributes",
    "ImportRequestContactStatus",
    "ImportStatus",
    "ImportSummary",
    "ImportSummaryPage",
    "ImportSummaryStatus",
    "InboundMessage",
    "InboundMessageAttachment",
    "InboundMessageAuth",
    "InboundMessageHeader",
    "InboundScan",
    "InboundScanReason",
    "InboundScanSymbol",
    "InboundScanVerdict",
    "InboundSummary",
    "InboundSummaryAttachment",
    "InboundSummaryAuth",
    "InboundSummaryPage",
    "InboundWebhook",
    "LaunchCampaignRequest",
    "ListAlertsStatus",
    "ListCampaignsStatus",
    "ListContactsStatus",
    "ListDomainReportsType",
    "ListEventsOrder",
    "ListInboundMessagesJunk",
    "ListInboundMessagesRead",
    "ListMessagesStatus",
    "ListProvidersResult",
    "ListSuppressionsReason",
    "ListWebhookDeliveriesEventType",
    "ListWebhookDeliveriesStatus",
    "Mailbox",
    "MailboxPage",
    "Message",
    "MessageAttempt",
    "MessageAttemptCertificate",
    "MessageAttemptSource",
    "MessageAttemptTlsPolicy",
    "MessageChange",
    "MessageContent",
    "MessageContentAttachment",
    "MessageContentHeader",
    "MessageEvent",
    "MessageEventData",
    "MessageExportFilter",
    "MessageExportFilterStatus",
    "MessageExportRequest",
    "MessageRecipient",
    "MessageRecipientStatus",
    "MessageSettings",
    "MessageStatus",
    "MessageSummary",
    "MessageSummaryPage",
    "MessageSummaryStatus",
    "MessageSummaryTag",
    "MessageTag",
    "Preflight",
    "PreflightCheck",
    "PreflightCheckId",
    "PreflightCheckStatus",
    "PreviewTemplateRequest",
    "PreviewTemplateRequestVariables",
    "PreviewTemplateResult",
    "ProviderFigures",
    "ProviderFiguresLimits",
    "ProviderFiguresTopReplie",
    "RemoveSuppressionResult",
    "ReplayWebhookDeliveryResult",
    "ReplayWebhookRequest",
    "ReplayWebhookRequestStatus",
    "ReplayWebhookResult",
    "ReportSource",
    "ReportSourceDkim",
    "ReportSourceSpf",
    "Reputation",
    "ReputationDailyItem",
    "ReputationMetrics",
    "ReputationPage",
    "ReputationPart",
    "ReputationPartPart",
    "ReputationWarmup",
    "ResendMessageRequest",
    "RestoreTemplateVersionRequest",
    "RetryFailedRecipientsResult",
    "SendAnswer",
    "SendAnswerReason",
    "SendAnswerRecipient",
    "SendAnswerRecipientStatus",
    "SendAnswerStatus",
    "SendAnswerWarmup",
    "SendBatchRequest",
    "SendBatchResult",
    "SendCampaignTestRequest",
    "SendCampaignTestResult",
    "SendCampaignTestResultStatus",
    "SendRequest",
    "SendRequestAttachment",
    "SendRequestHeader",
    "SendRequestHeaders",
    "SendRequestTag",
    "SendRequestVariables",
    "Suppression",
    "SuppressionExportFilter",
    "SuppressionExportFilterReason",
    "SuppressionExportRequest",
    "SuppressionPage",
    "SuppressionReason",
    "Template",
    "TemplatePage",
    "TemplateTestData",
    "TemplateVariable",
    "TemplateVersion",
    "TemplateVersionContent",
    "TemplateVersionContentVariable",
    "TemplateVersionPage",
    "TestAlertChatResult",
    "TestInboundWebhookResult",
    "TestWebhookRequest",
    "TestWebhookRequestEventType",
    "TestWebhookResult",
    "Webhook",
    "WebhookDelivery",
    "WebhookDeliveryAttempt",
    "WebhookDeliveryPage",
    "WebhookDeliveryStatus",
    "WebhookEventType",
    "WebhookPage",
    "WebhookWithSecret",
    "WhoamiResult",
    "WhoamiResultKey",
    "WhoamiResultKeyScope",
    "WhoamiResultQuota",
    "WhoamiResultTenant",
    "WhoamiResultTenantPlan",
    "WhoamiResultUser",
    "WhoamiResultUserRole",
)
