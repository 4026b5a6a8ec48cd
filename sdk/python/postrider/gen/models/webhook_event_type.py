from typing import Literal, cast

WebhookEventType = Literal[
    "*",
    "alert.opened",
    "alert.resolved",
    "campaign.sent",
    "contact.unsubscribed",
    "domain.brake_released",
    "domain.braked",
    "domain.failed",
    "domain.paused",
    "domain.resumed",
    "domain.tier_changed",
    "domain.verified",
    "inbound.received",
    "message.accepted",
    "message.bounced",
    "message.cancelled",
    "message.clicked",
    "message.complained",
    "message.deferred",
    "message.delivered",
    "message.dropped",
    "message.expired",
    "message.opened",
    "message.unsubscribed",
]


def check_webhook_event_type(value: str) -> WebhookEventType:
    return cast(WebhookEventType, value)
