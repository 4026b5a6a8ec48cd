from typing import Literal, cast

DomainBrakeState = Literal["all", "bulk", "off"]


def check_domain_brake_state(value: str) -> DomainBrakeState:
    return cast(DomainBrakeState, value)
