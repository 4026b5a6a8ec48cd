from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.reputation_part_part import ReputationPartPart, check_reputation_part_part

T = TypeVar("T", bound="ReputationPart")


@_attrs_define
class ReputationPart:
    """
    Attributes:
        part (ReputationPartPart):
        points (float):
        max_points (int):
        value (float): the evaluated rate, days, tier or share
        advice (None | str): how to raise it; null at full points
    """

    part: ReputationPartPart
    points: float
    max_points: int
    value: float
    advice: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        part: str = self.part

        points = self.points

        max_points = self.max_points

        value = self.value

        advice: None | str
        advice = self.advice

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "part": part,
                "points": points,
                "max_points": max_points,
                "value": value,
                "advice": advice,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        part = check_reputation_part_part(d.pop("part"))

        points = d.pop("points")

        max_points = d.pop("max_points")

        value = d.pop("value")

        def _parse_advice(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        advice = _parse_advice(d.pop("advice"))

        reputation_part = cls(
            part=part,
            points=points,
            max_points=max_points,
            value=value,
            advice=advice,
        )

        reputation_part.additional_properties = d
        return reputation_part

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
