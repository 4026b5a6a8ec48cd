// Aggregate reports and the mail that brings them, as tests need them: also such as nobody should send.

import { crc32, deflateRawSync } from 'node:zlib';

/** A DMARC report of this domain; `count` of its record goes in as text. */
export function dmarcXml(
  domain: string,
  given: { id?: string; org?: string; records?: string; begin?: number; end?: number } = {},
): string {
  const { id = 'r1', org = 'receiver.test', begin = YESTERDAY, end = begin + 86_399 } = given;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>
<report_metadata><org_name>${org}</org_name><email>dmarc@${org}</email><report_id>${id}</report_id>
<date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
<policy_published><domain>${domain}</domain><p>none</p></policy_published>
${given.records ?? dmarcRecord(domain)}</feedback>`;
}

/** One record. */
export function dmarcRecord(
  domain: string,
  given: {
    ip?: string;
    count?: string;
    dkim?: string;
    spf?: string;
    auth?: string;
    disposition?: string;
  } = {},
): string {
  const { ip = '192.0.2.1', count = '3', dkim = 'pass', spf = 'fail', disposition = 'none' } = given;
  const auth = given.auth ?? `<dkim><domain>${domain}</domain><result>${dkim}</result></dkim>`;
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count>
<policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row>
<identifiers><header_from>${domain}</header_from></identifiers><auth_results>${auth}</auth_results></record>`;
}

/** A TLS report of this domain: 40 sessions, 2 of them failed. */
export function tlsJson(domain: string, id = 't1'): string {
  const day = new Date(YESTERDAY * 1000).toISOString().slice(0, 10);
  return JSON.stringify({
    'organization-name': 'Receiver',
    'report-id': id,
    'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
    'contact-info': 'tls@receiver.test',
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': domain },
        summary: { 'total-successful-session-count': 38, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '192.0.2.7',
            'receiving-mx-hostname': `mx.${domain}`,
            'failed-session-count': 2,
          },
        ],
      },
    ],
  });
}

/** Midnight UTC of the day before, in seconds. */
const YESTERDAY = Math.floor(Date.now() / 86_400_000 - 1) * 86_400;

/** Mail with these attachments. */
export function reportMail(from: string, ...files: Buffer[]): string {
  const parts = files.map((bytes) =>
    [
      '--part',
      'Content-Type: application/octet-stream; name="x"',
      'Content-Transfer-Encoding: base64',
      '',
      ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
    ].join('\r\n'),
  );
  return [
    `From: ${from}`,
    'Subject: Report Domain: example.com',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'This is a report.',
    ...parts,
    '--part--',
    '',
  ].join('\r\n');
}

/** A zip archive. `says` is what its directory claims about the size of each file. */
export function makeZip(files: readonly Buffer[], says?: number): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [i, bytes] of files.entries()) {
    const name = Buffer.from(`file-${i}`);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version, then flags
    common.writeUInt16LE(8, 4); // deflate, then time and date
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, place, name]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}
