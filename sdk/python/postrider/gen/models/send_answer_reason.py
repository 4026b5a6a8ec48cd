from typing import Literal, cast

SendAnswerReason = Literal["brake", "esp_cap", "scheduled", "sender_rules", "suppressed", "warmup_cap"]


def check_send_answer_reason(value: str) -> SendAnswerReason:
    return cast(SendAnswerReason, value)
