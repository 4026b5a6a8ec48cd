from typing import Literal, cast

SendAnswerReason = Literal["esp_cap", "scheduled", "suppressed", "warmup_cap"]


def check_send_answer_reason(value: str) -> SendAnswerReason:
    return cast(SendAnswerReason, value)
