from typing import Literal, cast

DomainTrackingHostStatus = Literal["live", "lost", "not_found", "off", "waiting_for_certificate"]


def check_domain_tracking_host_status(value: str) -> DomainTrackingHostStatus:
    return cast(DomainTrackingHostStatus, value)
