// Refusals of our address: block lists, reputation, missing reverse DNS. None ever suppresses a recipient.

import { either, type BounceRule } from './rule.ts';

/** Rows about our sending IP and domain. */
export const REPUTATION_RULES: readonly BounceRule[] = [
  {
    id: 'block-no-reverse-dns',
    class: 'reputation_block',
    text: either(
      /reverse dns|\brdns\b|\bptr\b|no reverse|ip name lookup failed|may not be mail exchanger/,
      /cannot find your (?:reverse )?hostname|reverse hostname/,
      /does not resolve to (?:your|the sending) ip/,
    ),
    examples: [
      '550-5.7.25 [192.0.2.202] The IP address sending this message does not have a\r\n550 5.7.25 PTR record setup - gsmtp',
      '554 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.7]',
      '571 No PTR Record found. Reverse DNS required',
      '554 5.7.1 Fix reverse DNS for 192.0.2.7',
    ],
  },
  {
    id: 'block-named-list',
    class: 'reputation_block',
    text: either(
      /spamhaus|\bzen\b|spamcop|\bsorbs\b|barracuda|uceprotect|surbl|\buribl\b|abusix|mailspike|hostkarma/,
      /senderscore|invaluement|\bnjabl\b|gbudb|cloudmark\.com|trendmicro\.com.{0,20}(?:ers|erspr)|backscatterer/,
      /proofpoint\.com|senderbase|talos ?intelligence|\b(?:sbl|xbl|pbl|cbl|dul|ubl)\b/,
    ),
    examples: [
      '550 5.7.1 Service unavailable, Client host [192.0.2.7] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/192.0.2.7 (AS3130)',
      '553 http://www.spamhaus.org/query/bl?ip=192.0.2.7',
      '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen',
      '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using bl.spamcop.net; Blocked - see https://www.spamcop.net/bl.shtml?192.0.2.7',
      '550 Blocked, see http://www.barracudacentral.org/reputation?ip=192.0.2.7',
      '550 5.7.1 mx.example.com: message refused, http://csi.cloudmark.com/reset-request/?ip=192.0.2.7',
      '554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.7',
      '421 4.7.1 Service unavailable, see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.2.7',
    ],
  },
  {
    id: 'block-dnsbl-generic',
    class: 'reputation_block',
    text: either(
      /\b(?:dns[bw]l|\S{0,12}rbl|bl)\b.{0,60}(?:listed|block|reject|\d)|\bin an? \S{1,20}[dr]bl\b/,
      /(?:found|listed|present) (?:on|in|at) (?:\S{1,20} ){0,4}\S{0,12}(?:dns[bw]l|rbl|\bbl)s?\b/,
      /blocked (?:using|by) \S{1,80}\.(?:org|net|com|de|info)|(?<!may be )(?:black|block)[- ]?list/,
      /(?<!not )listed (?:in|on|at|by) \S{1,60}\.\S{2,20}|blocked using (?!spam)\S/,
      /(?:your|sender|client|source|sending|connecting) (?:ip|server|host|network|mta)\b.{0,60} (?:is|was|are|been) (?:black|block|deny)?-?listed/,
    ),
    examples: [
      '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using dnsbl.example.org',
      '550 5.7.1 IP address blacklisted by recipient',
      '554 Your IP is listed in rbl.example.net',
      '554 192.0.2.7 found on one or more DNSBLs',
      "550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
    ],
  },
  {
    id: 'block-exchange-banned-ip',
    class: 'reputation_block',
    enhanced: /^5\.7\.(?:51[123]|60[67]|50[0-2])$/,
    text: /banned|access denied|spam abuse|traffic not accepted/,
    examples: [
      '550 5.7.606 Access denied, banned sending IP [192.0.2.7]. To request removal from this list please visit https://sender.office.com/',
      '550 5.7.511 Access denied, banned sender[192.0.2.7]. To request removal from this list please forward this message to delist@microsoft.com',
    ],
  },
  {
    id: 'block-ip-reputation',
    class: 'reputation_block',
    text: either(
      /(?:low|poor|bad|negative) reputation|reputation of the sending (?:ip|domain)/,
      /(?:ip|sender|domain|sending) (?:address )?(?:has a |due to )?(?:\w{1,10} )?reputation/,
      /email from .{1,60} is not accepted due to poor/,
    ),
    examples: [
      '550-5.7.1 [192.0.2.7      18] Our system has detected that this message is\r\n550-5.7.1 likely suspicious due to the very low reputation of the sending IP\r\n550 5.7.1 address. - gsmtp',
      '550-5.7.1 [192.0.2.7] Our system has detected that this message is likely suspicious\r\n550 5.7.1 due to the very low reputation of the sending domain. - gsmtp',
      '554 5.7.1 The sender IP has poor reputation at TrustedSource',
      '554 Denied due to sender reputation (Mode: normal)',
    ],
  },
  {
    id: 'block-icloud',
    class: 'reputation_block',
    text: either(
      /\[(?:cs|hm)\d{2}\].{0,60}(?:policy|reject)|mail from ip \S{1,60} was rejected due to listing/,
      /rejected due to listing/,
    ),
    examples: [
      '554 5.7.1 Mail from IP 192.0.2.7 was rejected due to listing in Example DNS list. For details please see https://support.example.com',
      '554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    ],
  },
  {
    id: 'block-client-host',
    class: 'reputation_block',
    text: either(
      /client host (?:\S{1,80} )?(?:rejected|blocked)/,
      /(?:your|the|this|source|sender) (?:ip|host|server|mail server|network)(?: address)?(?: \S{1,50})? (?:is |was |has been )(?:currently |temporarily )?(?:blocked|banned|denied|refused|rejected)/,
      /blocked (?:client|host|ip|sender ip)|adresse ip source bloquee/,
      /ip (?:address )?(?:blocked|rejected|banned)|access denied.{0,20}\bip\b|client \S{1,60} blocked/,
      /connection from \S{1,60} (?:rejected|refused|blocked)|connected from a bad ip|\bgo away\b|listed as abusive/,
      /(?:no|not (?:currently )?accept(?:ing|ed)?) (?:mail |connections |access )?from (?:your|this|mail) (?:ip|host|server|network)/,
      /mismatches client ip|cannot resolve your|unresolvable relay|purported responsible|no valid recipients from|looks suspicious/,
    ),
    examples: [
      '450 4.7.1 <mx7.example.net[192.0.2.7]>: Client host rejected: Access denied',
      '550 Your IP address 192.0.2.7 has been blocked',
      '550 mwinf5c04 ME Adresse IP source bloquee pour incident de spam. Client host blocked for spamming issues. OFR006_102',
      '521-5.7.1 Service unavailable; client [192.0.2.7] blocked',
      '554 Blocked IP 192.0.2.7',
    ],
  },
  {
    id: 'block-gmx-web',
    class: 'reputation_block',
    text: either(
      /\bno smtp service\b.{0,40}(?:ip address|bad dns|block)/,
      /nemesis esmtp service.{0,40}(?:not available|no smtp)/,
    ),
    examples: [
      '554 gmx.net (mxgmx016) Nemesis ESMTP Service not available. No SMTP service',
      '554 web.de (mxweb112) No SMTP service. IP address is suspicious.',
    ],
  },
  {
    // The codes of Outlook.com's page of errors (sendersupport.olc.protection.outlook.com/pm/troubleshooting.aspx).
    id: 'block-outlook-code',
    class: 'reputation_block',
    text: /\b(?:sc|dy|ou)-00\d\b/,
    examples: ['550 SC-001 (COL004-MC1F1) Unfortunately, messages from 192.0.2.7 weren’t sent'],
  },
  {
    id: 'block-netease',
    class: 'reputation_block',
    text: /^(?:hl:(?:rep|mep)|wm:bli)\b/,
    examples: ['421 HL:REP 163 mx1'],
  },
  {
    id: 'block-residential',
    class: 'reputation_block',
    text: either(
      /(?:dynamic|residential|dial-?up) (?:ip|address|host|client|range)/,
      /use (?:the|your) (?:smtp|mail|relay) server of your isp|please use the smtp server/,
      /(?:invalid|not a valid|unauthorized) ip (?:for|address for) sending/,
    ),
    examples: [
      '550 5.7.1 Dynamic IP Addresses See: https://www.spamrats.com',
      '550 5.7.0 <ann@example.com>... Please use the smtp server of your ISP.',
      '554 INVALID IP FOR SENDING MAIL OF DOMAIN example.com',
    ],
  },
];
