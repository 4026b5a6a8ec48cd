from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.reputation_daily_item import ReputationDailyItem
    from ..models.reputation_metrics import ReputationMetrics
    from ..models.reputation_part import ReputationPart
    from ..models.reputation_warmup import ReputationWarmup


T = TypeVar("T", bound="Reputation")


@_attrs_define
class Reputation:
    """Statistics of a domain’s mail over 30 days, and its trust score

    Attributes:
        domain (str):
        trust_score (int):
        parts (list[ReputationPart]): the parts that add up to the score
        window_days (Literal[30]):
        metrics (ReputationMetrics):
        warmup (ReputationWarmup):
        daily (list[ReputationDailyItem]): one entry per UTC day, oldest first, today last
    """

    domain: str
    trust_score: int
    parts: list[ReputationPart]
    window_days: Literal[30]
    metrics: ReputationMetrics
    warmup: ReputationWarmup
    daily: list[ReputationDailyItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        domain = self.domain

        trust_score = self.trust_score

        parts = []
        for parts_item_data in self.parts:
            parts_item = parts_item_data.to_dict()
            parts.append(parts_item)

        window_days = self.window_days

        metrics = self.metrics.to_dict()

        warmup = self.warmup.to_dict()

        daily = []
        for daily_item_data in self.daily:
            daily_item = daily_item_data.to_dict()
            daily.append(daily_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "domain": domain,
                "trust_score": trust_score,
                "parts": parts,
                "window_days": window_days,
                "metrics": metrics,
                "warmup": warmup,
                "daily": daily,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.reputation_daily_item import ReputationDailyItem  # noqa: PLC0415
        from ..models.reputation_metrics import ReputationMetrics  # noqa: PLC0415
        from ..models.reputation_part import ReputationPart  # noqa: PLC0415
        from ..models.reputation_warmup import ReputationWarmup  # noqa: PLC0415

        d = dict(src_dict)
        domain = d.pop("domain")

        trust_score = d.pop("trust_score")

        parts = []
        _parts = d.pop("parts")
        for parts_item_data in _parts:
            parts_item = ReputationPart.from_dict(parts_item_data)

            parts.append(parts_item)

        window_days = cast(Literal[30], d.pop("window_days"))
        if window_days != 30:
            raise ValueError(f"window_days must match const 30, got '{window_days}'")

        metrics = ReputationMetrics.from_dict(d.pop("metrics"))

        warmup = ReputationWarmup.from_dict(d.pop("warmup"))

        daily = []
        _daily = d.pop("daily")
        for daily_item_data in _daily:
            daily_item = ReputationDailyItem.from_dict(daily_item_data)

            daily.append(daily_item)

        reputation = cls(
            domain=domain,
            trust_score=trust_score,
            parts=parts,
            window_days=window_days,
            metrics=metrics,
            warmup=warmup,
            daily=daily,
        )

        reputation.additional_properties = d
        return reputation

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
