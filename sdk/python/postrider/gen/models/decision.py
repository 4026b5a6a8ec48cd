from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.decision_inputs import DecisionInputs
    from ..models.decision_outcome import DecisionOutcome


T = TypeVar("T", bound="Decision")


@_attrs_define
class Decision:
    """One decision about a message

    Attributes:
        at (datetime.datetime):
        rule (str): what was decided by: `accepted`, `warmup_cap`, `retry`, …; later versions may have more
        inputs (DecisionInputs): the numbers of that moment. `times` and `since` when it was decided several times in a
            row, `left_out` when so many decisions right after it are not kept
        outcome (DecisionOutcome):
        next_step (str): what happens next, as a sentence
        docs (str): the page of the documentation that describes the rule
    """

    at: datetime.datetime
    rule: str
    inputs: DecisionInputs
    outcome: DecisionOutcome
    next_step: str
    docs: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        rule = self.rule

        inputs = self.inputs.to_dict()

        outcome = self.outcome.to_dict()

        next_step = self.next_step

        docs = self.docs

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "rule": rule,
                "inputs": inputs,
                "outcome": outcome,
                "next_step": next_step,
                "docs": docs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.decision_inputs import DecisionInputs  # noqa: PLC0415
        from ..models.decision_outcome import DecisionOutcome  # noqa: PLC0415

        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        rule = d.pop("rule")

        inputs = DecisionInputs.from_dict(d.pop("inputs"))

        outcome = DecisionOutcome.from_dict(d.pop("outcome"))

        next_step = d.pop("next_step")

        docs = d.pop("docs")

        decision = cls(
            at=at,
            rule=rule,
            inputs=inputs,
            outcome=outcome,
            next_step=next_step,
            docs=docs,
        )

        decision.additional_properties = d
        return decision

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
