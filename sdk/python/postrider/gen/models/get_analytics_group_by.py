from typing import Literal, cast

GetAnalyticsGroupBy = Literal["campaign", "domain", "provider", "tag"]


def check_get_analytics_group_by(value: str) -> GetAnalyticsGroupBy:
    return cast(GetAnalyticsGroupBy, value)
