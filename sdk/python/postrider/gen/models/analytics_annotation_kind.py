from typing import Literal, cast

AnalyticsAnnotationKind = Literal["brake", "brake_released", "campaign", "paused", "resumed", "tier"]


def check_analytics_annotation_kind(value: str) -> AnalyticsAnnotationKind:
    return cast(AnalyticsAnnotationKind, value)
