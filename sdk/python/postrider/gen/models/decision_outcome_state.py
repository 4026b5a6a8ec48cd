from typing import Literal, cast

DecisionOutcomeState = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_decision_outcome_state(value: str) -> DecisionOutcomeState:
    return cast(DecisionOutcomeState, value)
