"""Query parameters that tell a vendor who clicked where, and never a server which page is meant.

Collected by us from the vendors' own documentation. Names that also carry content somewhere (`ref`, `source`,
`from`, `id`, `v`, `t`, `s`, `si`, `sid`, `trk`, `feature`, `clickid` …) are not here on purpose.
"""

from __future__ import annotations

PREFIXES = ("utm_", "hsa_", "mtm_", "matomo_", "piwik_")
"""Google Analytics and all who took over its names; HubSpot ads; Matomo and what it was called before."""

_BY_VENDOR = (
    # Google: Ads, Analytics cross-domain linking, Merchant Center, Campaign Manager
    "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl "
    # Meta, X, TikTok, LinkedIn, Pinterest, Snapchat, Reddit, Quora
    "fbclid fb_action_ids fb_action_types fb_source fb_ref igshid igsh twclid ref_src ttclid li_fat_id epik sccid "
    "rdt_cid qclid "
    # Microsoft, Yahoo, Yandex, Baidu, 360, Naver, LINE, Alibaba, Bilibili
    "msclkid vmcid guccounter guce_referrer guce_referrer_sig yclid ysclid ymclid _openstat bd_vid hmsr hmpl hmcu "
    "hmkw hmci qhclickid napm ldtag_cl spm spm_id_from vd_source "
    # HubSpot, Marketo, Mailchimp, Klaviyo, Vero, Drip, Eloqua, Dotdigital, Kit, beehiiv, Listrak, Bronto, Omeda
    "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok mc_cid mc_eid _ke _kx vero_id vero_conv __s elqtrack "
    "elqtrackid elqaid elqat elqcampaignid dm_i ck_subscriber_id _bhlid trk_contact trk_msg trk_module trk_sid "
    "_bta_tid _bta_c oly_anon_id oly_enc_id vgo_ee "
    # Adobe, Matomo's short names, AT Internet, Webtrekk, Comscore, Branch, Wicked Reports
    "s_kwcid ef_id adobe_mc pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid xtor at_campaign "
    "at_medium wt_mc wt_zmc ns_campaign ns_mchannel ns_source ns_linkname ns_fee _branch_match_id _branch_referrer "
    "wickedid "
    # affiliate networks: Impact, CJ, Awin, Rakuten, ShareASale, Tradedoubler, Admitad; Outbrain, Taboola, Criteo
    "irclickid irgwc cjevent awc ranmid raneaid ransiteid sscid tduid admitad_uid dicbo tblci cto_pld "
    # sessions of Java and PHP servers
    "jsessionid phpsessid"
)

NAMES = frozenset(_BY_VENDOR.split())
"""In lower case."""


def is_tracking(name: str) -> bool:
    """Whether the parameter `name`, percent-decoded and in any letter case, only tracks."""
    lower = name.lower()
    return lower in NAMES or lower.startswith(PREFIXES)
