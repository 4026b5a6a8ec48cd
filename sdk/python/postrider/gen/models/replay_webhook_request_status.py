from typing import Literal, cast

ReplayWebhookRequestStatus = Literal["dead", "failed", "succeeded"]


def check_replay_webhook_request_status(value: str) -> ReplayWebhookRequestStatus:
    return cast(ReplayWebhookRequestStatus, value)
