"""Made by `npm run sdk` from the OpenAPI document. Do not edit."""

from .api.suppressions.add_suppressions import add_suppressions as _add_suppressions
from .api.campaigns.cancel_campaign import cancel_campaign as _cancel_campaign
from .api.domains.cancel_domain_dkim_rotation import cancel_domain_dkim_rotation as _cancel_domain_dkim_rotation
from .api.messages.cancel_message import cancel_message as _cancel_message
from .api.alerts.change_alert_rule import change_alert_rule as _change_alert_rule
from .api.alerts.change_alert_settings import change_alert_settings as _change_alert_settings
from .api.campaigns.change_campaign import change_campaign as _change_campaign
from .api.contacts.change_contact import change_contact as _change_contact
from .api.domains.change_domain import change_domain as _change_domain
from .api.inbound_mail.change_inbound_message import change_inbound_message as _change_inbound_message
from .api.inbound_webhook.change_inbound_webhook import change_inbound_webhook as _change_inbound_webhook
from .api.lists.change_list import change_list as _change_list
from .api.mailboxes.change_mailbox import change_mailbox as _change_mailbox
from .api.messages.change_message_settings import change_message_settings as _change_message_settings
from .api.templates.change_template import change_template as _change_template
from .api.webhooks.change_webhook import change_webhook as _change_webhook
from .api.alerts.create_alert_rule import create_alert_rule as _create_alert_rule
from .api.campaigns.create_campaign import create_campaign as _create_campaign
from .api.contacts.create_contact import create_contact as _create_contact
from .api.domains.create_domain import create_domain as _create_domain
from .api.exports.create_export import create_export as _create_export
from .api.lists.create_list import create_list as _create_list
from .api.mailboxes.create_mailbox import create_mailbox as _create_mailbox
from .api.templates.create_template import create_template as _create_template
from .api.webhooks.create_webhook import create_webhook as _create_webhook
from .api.alerts.delete_alert_rule import delete_alert_rule as _delete_alert_rule
from .api.campaigns.delete_campaign import delete_campaign as _delete_campaign
from .api.contacts.delete_contact import delete_contact as _delete_contact
from .api.domains.delete_domain import delete_domain as _delete_domain
from .api.inbound_mail.delete_inbound_message import delete_inbound_message as _delete_inbound_message
from .api.lists.delete_list import delete_list as _delete_list
from .api.mailboxes.delete_mailbox import delete_mailbox as _delete_mailbox
from .api.templates.delete_template import delete_template as _delete_template
from .api.webhooks.delete_webhook import delete_webhook as _delete_webhook
from .api.campaigns.download_campaign_recipients import download_campaign_recipients as _download_campaign_recipients
from .api.campaigns.duplicate_campaign import duplicate_campaign as _duplicate_campaign
from .api.messages.explain_message import explain_message as _explain_message
from .api.alerts.get_alert_settings import get_alert_settings as _get_alert_settings
from .api.reputation.get_analytics import get_analytics as _get_analytics
from .api.campaigns.get_campaign import get_campaign as _get_campaign
from .api.campaigns.get_campaign_report import get_campaign_report as _get_campaign_report
from .api.contacts.get_contact import get_contact as _get_contact
from .api.domains.get_domain import get_domain as _get_domain
from .api.exports.get_export import get_export as _get_export
from .api.exports.get_export_file import get_export_file as _get_export_file
from .api.imports.get_import import get_import as _get_import
from .api.inbound_mail.get_inbound_attachment import get_inbound_attachment as _get_inbound_attachment
from .api.inbound_mail.get_inbound_message import get_inbound_message as _get_inbound_message
from .api.inbound_mail.get_inbound_message_source import get_inbound_message_source as _get_inbound_message_source
from .api.inbound_webhook.get_inbound_webhook import get_inbound_webhook as _get_inbound_webhook
from .api.lists.get_list import get_list as _get_list
from .api.mailboxes.get_mailbox import get_mailbox as _get_mailbox
from .api.messages.get_message import get_message as _get_message
from .api.messages.get_message_attachment import get_message_attachment as _get_message_attachment
from .api.messages.get_message_content import get_message_content as _get_message_content
from .api.messages.get_message_settings import get_message_settings as _get_message_settings
from .api.messages.get_message_source import get_message_source as _get_message_source
from .api.templates.get_template import get_template as _get_template
from .api.templates.get_template_version import get_template_version as _get_template_version
from .api.webhooks.get_webhook import get_webhook as _get_webhook
from .api.imports.import_contacts import import_contacts as _import_contacts
from .api.campaigns.launch_campaign import launch_campaign as _launch_campaign
from .api.alerts.list_alert_rules import list_alert_rules as _list_alert_rules
from .api.alerts.list_alerts import list_alerts as _list_alerts
from .api.campaigns.list_campaigns import list_campaigns as _list_campaigns
from .api.contacts.list_contacts import list_contacts as _list_contacts
from .api.domains.list_domain_reports import list_domain_reports as _list_domain_reports
from .api.domains.list_domains import list_domains as _list_domains
from .api.events.list_events import list_events as _list_events
from .api.campaigns.list_failed_recipients import list_failed_recipients as _list_failed_recipients
from .api.imports.list_imports import list_imports as _list_imports
from .api.inbound_mail.list_inbound_messages import list_inbound_messages as _list_inbound_messages
from .api.lists.list_lists import list_lists as _list_lists
from .api.mailboxes.list_mailboxes import list_mailboxes as _list_mailboxes
from .api.messages.list_messages import list_messages as _list_messages
from .api.reputation.list_providers import list_providers as _list_providers
from .api.reputation.list_reputation import list_reputation as _list_reputation
from .api.suppressions.list_suppressions import list_suppressions as _list_suppressions
from .api.templates.list_template_versions import list_template_versions as _list_template_versions
from .api.templates.list_templates import list_templates as _list_templates
from .api.webhooks.list_webhook_deliveries import list_webhook_deliveries as _list_webhook_deliveries
from .api.webhooks.list_webhooks import list_webhooks as _list_webhooks
from .api.campaigns.pause_campaign import pause_campaign as _pause_campaign
from .api.campaigns.preflight_campaign import preflight_campaign as _preflight_campaign
from .api.domains.preflight_domain import preflight_domain as _preflight_domain
from .api.templates.preview_template import preview_template as _preview_template
from .api.domains.release_domain_brake import release_domain_brake as _release_domain_brake
from .api.suppressions.remove_suppression import remove_suppression as _remove_suppression
from .api.webhooks.replay_webhook import replay_webhook as _replay_webhook
from .api.webhooks.replay_webhook_delivery import replay_webhook_delivery as _replay_webhook_delivery
from .api.messages.reschedule_message import reschedule_message as _reschedule_message
from .api.messages.resend_message import resend_message as _resend_message
from .api.templates.restore_template_version import restore_template_version as _restore_template_version
from .api.campaigns.resume_campaign import resume_campaign as _resume_campaign
from .api.campaigns.retry_failed_recipients import retry_failed_recipients as _retry_failed_recipients
from .api.messages.retry_message import retry_message as _retry_message
from .api.domains.rotate_domain_dkim import rotate_domain_dkim as _rotate_domain_dkim
from .api.webhooks.rotate_webhook import rotate_webhook as _rotate_webhook
from .api.messages.send_batch import send_batch as _send_batch
from .api.campaigns.send_campaign_test import send_campaign_test as _send_campaign_test
from .api.messages.send_message import send_message as _send_message
from .api.alerts.test_alert_chat import test_alert_chat as _test_alert_chat
from .api.inbound_webhook.test_inbound_webhook import test_inbound_webhook as _test_inbound_webhook
from .api.webhooks.test_webhook import test_webhook as _test_webhook
from .api.campaigns.undo_launch import undo_launch as _undo_launch
from .api.domains.verify_domain import verify_domain as _verify_domain
from .api.account.whoami import whoami as _whoami

VERSION = "0.1.0"


class Operations:
    """A method for each operation."""

    add_suppressions = _add_suppressions
    cancel_campaign = _cancel_campaign
    cancel_domain_dkim_rotation = _cancel_domain_dkim_rotation
    cancel_message = _cancel_message
    change_alert_rule = _change_alert_rule
    change_alert_settings = _change_alert_settings
    change_campaign = _change_campaign
    change_contact = _change_contact
    change_domain = _change_domain
    change_inbound_message = _change_inbound_message
    change_inbound_webhook = _change_inbound_webhook
    change_list = _change_list
    change_mailbox = _change_mailbox
    change_message_settings = _change_message_settings
    change_template = _change_template
    change_webhook = _change_webhook
    create_alert_rule = _create_alert_rule
    create_campaign = _create_campaign
    create_contact = _create_contact
    create_domain = _create_domain
    create_export = _create_export
    create_list = _create_list
    create_mailbox = _create_mailbox
    create_template = _create_template
    create_webhook = _create_webhook
    delete_alert_rule = _delete_alert_rule
    delete_campaign = _delete_campaign
    delete_contact = _delete_contact
    delete_domain = _delete_domain
    delete_inbound_message = _delete_inbound_message
    delete_list = _delete_list
    delete_mailbox = _delete_mailbox
    delete_template = _delete_template
    delete_webhook = _delete_webhook
    download_campaign_recipients = _download_campaign_recipients
    duplicate_campaign = _duplicate_campaign
    explain_message = _explain_message
    get_alert_settings = _get_alert_settings
    get_analytics = _get_analytics
    get_campaign = _get_campaign
    get_campaign_report = _get_campaign_report
    get_contact = _get_contact
    get_domain = _get_domain
    get_export = _get_export
    get_export_file = _get_export_file
    get_import = _get_import
    get_inbound_attachment = _get_inbound_attachment
    get_inbound_message = _get_inbound_message
    get_inbound_message_source = _get_inbound_message_source
    get_inbound_webhook = _get_inbound_webhook
    get_list = _get_list
    get_mailbox = _get_mailbox
    get_message = _get_message
    get_message_attachment = _get_message_attachment
    get_message_content = _get_message_content
    get_message_settings = _get_message_settings
    get_message_source = _get_message_source
    get_template = _get_template
    get_template_version = _get_template_version
    get_webhook = _get_webhook
    import_contacts = _import_contacts
    launch_campaign = _launch_campaign
    list_alert_rules = _list_alert_rules
    list_alerts = _list_alerts
    list_campaigns = _list_campaigns
    list_contacts = _list_contacts
    list_domain_reports = _list_domain_reports
    list_domains = _list_domains
    list_events = _list_events
    list_failed_recipients = _list_failed_recipients
    list_imports = _list_imports
    list_inbound_messages = _list_inbound_messages
    list_lists = _list_lists
    list_mailboxes = _list_mailboxes
    list_messages = _list_messages
    list_providers = _list_providers
    list_reputation = _list_reputation
    list_suppressions = _list_suppressions
    list_template_versions = _list_template_versions
    list_templates = _list_templates
    list_webhook_deliveries = _list_webhook_deliveries
    list_webhooks = _list_webhooks
    pause_campaign = _pause_campaign
    preflight_campaign = _preflight_campaign
    preflight_domain = _preflight_domain
    preview_template = _preview_template
    release_domain_brake = _release_domain_brake
    remove_suppression = _remove_suppression
    replay_webhook = _replay_webhook
    replay_webhook_delivery = _replay_webhook_delivery
    reschedule_message = _reschedule_message
    resend_message = _resend_message
    restore_template_version = _restore_template_version
    resume_campaign = _resume_campaign
    retry_failed_recipients = _retry_failed_recipients
    retry_message = _retry_message
    rotate_domain_dkim = _rotate_domain_dkim
    rotate_webhook = _rotate_webhook
    send_batch = _send_batch
    send_campaign_test = _send_campaign_test
    send_message = _send_message
    test_alert_chat = _test_alert_chat
    test_inbound_webhook = _test_inbound_webhook
    test_webhook = _test_webhook
    undo_launch = _undo_launch
    verify_domain = _verify_domain
    whoami = _whoami
