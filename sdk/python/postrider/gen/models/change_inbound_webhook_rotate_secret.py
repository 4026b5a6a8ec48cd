from typing import Literal, cast

ChangeInboundWebhookRotateSecret = Literal["false", "true"]


def check_change_inbound_webhook_rotate_secret(value: str) -> ChangeInboundWebhookRotateSecret:
    return cast(ChangeInboundWebhookRotateSecret, value)
