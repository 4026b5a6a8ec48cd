// dkimpy, a verifier of DKIM signatures that shares no code with ours or with mailauth.

import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const PYTHON = '/usr/bin/python3'; // Debian's own, which has Debian's packages
const SCRIPT = `
import base64, json, sys
import dkim
given = json.load(sys.stdin)
def txt(name, timeout=5):
    return given["records"].get(name.decode("ascii").rstrip("."), "").encode("ascii")
out = []
for raw in given["messages"]:
    verifier = dkim.DKIM(base64.b64decode(raw), minkey=2048)
    count = sum(name.lower() == b"dkim-signature" for name, value in verifier.headers)
    signatures = []
    for index in range(count):
        ok = verifier.verify(idx=index, dnsfunc=txt)
        fields = verifier.signature_fields
        signed = [name.strip().decode("ascii").lower() for name in fields[b"h"].split(b":")]
        signatures.append({"algorithm": fields[b"a"].decode("ascii"), "ok": ok, "signed": signed})
    out.append(signatures)
json.dump(out, sys.stdout)
`;

/** One signature of a message: whether it verifies, and the names of its h=, in lower case. */
export interface DkimpySignature {
  algorithm: string;
  ok: boolean;
  signed: string[];
}

/** Why it cannot be asked; null when it can. */
export function dkimpyMissing(): string | null {
  const { status } = spawnSync(PYTHON, ['-c', 'import dkim, nacl']);
  return status === 0 ? null : 'dkimpy is not installed (Debian: python3-dkim)';
}

/** What it says of the signatures of each message; `records` are the DKIM records by their names in DNS. */
export async function askDkimpy(
  messages: Buffer[],
  records: Record<string, string>,
): Promise<DkimpySignature[][]> {
  const asked = promisify(execFile)(PYTHON, ['-c', SCRIPT], { maxBuffer: 16 * 1024 * 1024 });
  asked.child.stdin?.end(
    JSON.stringify({ messages: messages.map((raw) => raw.toString('base64')), records }),
  );
  return JSON.parse((await asked).stdout) as DkimpySignature[][];
}
