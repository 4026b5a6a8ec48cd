from typing import Literal, cast

ReputationPartPart = Literal[
    "age", "authentication", "bounces", "complaints", "delivery", "engagement", "tier"
]


def check_reputation_part_part(value: str) -> ReputationPartPart:
    return cast(ReputationPartPart, value)
