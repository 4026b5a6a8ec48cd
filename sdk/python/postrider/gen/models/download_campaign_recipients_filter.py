from typing import Literal, cast

DownloadCampaignRecipientsFilter = Literal[
    "bounced", "clicked", "complained", "machine_opened", "not_opened", "opened", "unsubscribed"
]


def check_download_campaign_recipients_filter(value: str) -> DownloadCampaignRecipientsFilter:
    return cast(DownloadCampaignRecipientsFilter, value)
