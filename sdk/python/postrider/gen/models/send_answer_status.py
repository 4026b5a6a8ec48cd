from typing import Literal, cast

SendAnswerStatus = Literal["deferred", "dropped", "queued"]


def check_send_answer_status(value: str) -> SendAnswerStatus:
    return cast(SendAnswerStatus, value)
