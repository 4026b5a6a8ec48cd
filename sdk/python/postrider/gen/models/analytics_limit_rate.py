from typing import Literal, cast

AnalyticsLimitRate = Literal["bounces", "complaints"]


def check_analytics_limit_rate(value: str) -> AnalyticsLimitRate:
    return cast(AnalyticsLimitRate, value)
