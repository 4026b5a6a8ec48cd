// What the sink writes down of a message that came over the wire.

import { Resolver } from 'node:dns/promises';
import { dkimVerify } from 'mailauth';
import { simpleParser, type ParsedAddresses } from 'mailparser';

import { hashContent, MARK, sha256 } from '../content.ts';
import type { WireDot } from '../facts/wire.ts';

/** What is written of a message itself. */
type Described = Omit<WireDot, 'kind' | 'connection' | 'transaction' | 'recipient'>;

/** Makes the function that describes what came after DATA, with the final dot. `dns` is a server (host:port) that knows the keys. */
export function createDescribe(dns: string): (wire: Buffer) => Promise<Described> {
  const resolver = new Resolver();
  resolver.setServers([dns]);
  const keys = new Map<string, Promise<string[][]>>();
  const look = (name: string) => {
    const found = keys.get(name) ?? resolver.resolveTxt(name);
    keys.set(name, found);
    found.catch(() => keys.delete(name));
    return found;
  };
  return async (wire) => {
    const raw = Buffer.from(
      wire
        .subarray(0, -3)
        .toString('latin1')
        .replace(/(^|\r\n)\./g, '$1'),
      'latin1',
    );
    const header = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
    return {
      messageId: /^message-id:\s*<(.*?)>/im.exec(header)?.[1] ?? null,
      from: /^from:.*?@([^>\s]+)/im.exec(header)?.[1] ?? null,
      sha256: sha256(raw),
      octets: raw.length,
      ...(await readContent(raw)),
      dkim: await verify(raw, look),
    };
  };
}

async function readContent(raw: Buffer): Promise<Pick<Described, 'subject' | 'content'>> {
  const mail = await simpleParser(raw, {
    keepCidLinks: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
  });
  const subject = mail.subject ?? '';
  const mark = mail.headers?.get(MARK.toLowerCase());
  const content = hashContent({
    from: addressesOf(mail.from)[0] ?? '',
    to: addressesOf(mail.to),
    subject,
    text: mail.text ?? '',
    html: mail.html || null,
    attachments: mail.attachments.map(({ filename, contentType, content: bytes }) => ({
      filename: filename ?? '',
      type: contentType,
      sha256: sha256(bytes),
    })),
    mark: typeof mark === 'string' ? mark : null,
  });
  return { subject, content };
}

function addressesOf(of: ParsedAddresses | ParsedAddresses[] | undefined): string[] {
  return [of ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''));
}

// Each signature has to verify, and there is one at least.
async function verify(raw: Buffer, look: (name: string) => Promise<string[][]>): Promise<string> {
  const { results } = await dkimVerify(raw, { resolver: async (name: string) => look(name) });
  const bad = results.find(({ status }) => status.result !== 'pass');
  if (bad)
    return `${bad.status.result} (${bad.status.comment ?? 'no comment'}) of ${bad.signingDomain ?? 'no domain'}`;
  return results.length > 0 ? 'pass' : 'no signature';
}
