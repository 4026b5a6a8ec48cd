from typing import Literal, cast

PreflightCheckStatus = Literal["fail", "pass", "warn"]


def check_preflight_check_status(value: str) -> PreflightCheckStatus:
    return cast(PreflightCheckStatus, value)
