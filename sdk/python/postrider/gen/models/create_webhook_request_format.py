from typing import Literal, cast

CreateWebhookRequestFormat = Literal["sendgrid", "standard"]


def check_create_webhook_request_format(value: str) -> CreateWebhookRequestFormat:
    return cast(CreateWebhookRequestFormat, value)
