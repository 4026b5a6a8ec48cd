from typing import Literal, cast

DomainWarmupState = Literal["active", "held", "paused"]


def check_domain_warmup_state(value: str) -> DomainWarmupState:
    return cast(DomainWarmupState, value)
