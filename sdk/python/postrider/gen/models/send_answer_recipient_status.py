from typing import Literal, cast

SendAnswerRecipientStatus = Literal["deferred", "dropped", "queued"]


def check_send_answer_recipient_status(value: str) -> SendAnswerRecipientStatus:
    return cast(SendAnswerRecipientStatus, value)
