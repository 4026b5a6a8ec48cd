from typing import Literal, cast

MessageAttemptTlsPolicy = Literal["dane", "mta_sts"]


def check_message_attempt_tls_policy(value: str) -> MessageAttemptTlsPolicy:
    return cast(MessageAttemptTlsPolicy, value)
