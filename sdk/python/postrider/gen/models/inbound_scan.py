from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.inbound_scan_reason import InboundScanReason, check_inbound_scan_reason
from ..models.inbound_scan_verdict import InboundScanVerdict, check_inbound_scan_verdict

if TYPE_CHECKING:
    from ..models.inbound_scan_symbol import InboundScanSymbol


T = TypeVar("T", bound="InboundScan")


@_attrs_define
class InboundScan:
    """What the scanner (rspamd) said of an inbound message

    Attributes:
        verdict (InboundScanVerdict):
        reason (InboundScanReason | None): why it was not scanned; null when it was
        score (float | None):
        required_score (float | None): the score from which the scanner rejects
        action (None | str): what rspamd advises: `no action`, `add header`, `reject` …
        virus (None | str): the name of the virus
        symbols (list[InboundScanSymbol]): the ten rules that matched with the largest scores
    """

    verdict: InboundScanVerdict
    reason: InboundScanReason | None
    score: float | None
    required_score: float | None
    action: None | str
    virus: None | str
    symbols: list[InboundScanSymbol]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        verdict: str = self.verdict

        reason: None | str
        if isinstance(self.reason, str):
            reason = self.reason
        else:
            reason = self.reason

        score: float | None
        score = self.score

        required_score: float | None
        required_score = self.required_score

        action: None | str
        action = self.action

        virus: None | str
        virus = self.virus

        symbols = []
        for symbols_item_data in self.symbols:
            symbols_item = symbols_item_data.to_dict()
            symbols.append(symbols_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "verdict": verdict,
                "reason": reason,
                "score": score,
                "required_score": required_score,
                "action": action,
                "virus": virus,
                "symbols": symbols,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.inbound_scan_symbol import InboundScanSymbol  # noqa: PLC0415

        d = dict(src_dict)
        verdict = check_inbound_scan_verdict(d.pop("verdict"))

        def _parse_reason(data: object) -> InboundScanReason | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = check_inbound_scan_reason(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(InboundScanReason | None, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_score(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        score = _parse_score(d.pop("score"))

        def _parse_required_score(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        required_score = _parse_required_score(d.pop("required_score"))

        def _parse_action(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        action = _parse_action(d.pop("action"))

        def _parse_virus(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        virus = _parse_virus(d.pop("virus"))

        symbols = []
        _symbols = d.pop("symbols")
        for symbols_item_data in _symbols:
            symbols_item = InboundScanSymbol.from_dict(symbols_item_data)

            symbols.append(symbols_item)

        inbound_scan = cls(
            verdict=verdict,
            reason=reason,
            score=score,
            required_score=required_score,
            action=action,
            virus=virus,
            symbols=symbols,
        )

        inbound_scan.additional_properties = d
        return inbound_scan

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
