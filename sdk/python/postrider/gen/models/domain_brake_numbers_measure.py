from typing import Literal, cast

DomainBrakeNumbersMeasure = Literal["blocks", "bounces", "complaints"]


def check_domain_brake_numbers_measure(value: str) -> DomainBrakeNumbersMeasure:
    return cast(DomainBrakeNumbersMeasure, value)
