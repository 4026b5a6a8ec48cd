import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createServer, connect, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';

import { makeCertificate } from '../../../core/base/certificate.ts';
import { ensureTls, type TlsFiles } from '../../../local/tls.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const DAY_MS = 86_400_000;

async function handshake(files: TlsFiles, servername: string): Promise<TLSSocket> {
  const [key, cert, ca] = await Promise.all(
    [files.keyFile, files.certFile, files.caFile].map((file) => readFile(file, 'utf8')),
  );
  const server = createServer({ key: key!, cert: cert! }, (socket) => void socket.on('error', () => {}));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', ca: ca!, ...(servername !== '127.0.0.1' && { servername }) };
    const socket = connect(options, () => {
      socket.destroy();
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

test.each(['localhost', 'postmark.localhost', '127.0.0.1'])(
  'a client that knows the CA trusts %s',
  async (name) => {
    const files = await ensureTls(await tempFolder());
    expect((await handshake(files, name)).authorized).toBe(true);
  },
);

test('a client refuses another name', async () => {
  const files = await ensureTls(await tempFolder());
  await expect(handshake(files, 'example.com')).rejects.toThrow(/altnames/);
});

test('keys are readable by their owner only', async () => {
  const folder = await tempFolder();
  const files = await ensureTls(folder);
  for (const file of [files.keyFile, `${folder}/ca.key`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('made once, and made anew by the same CA when it comes close to its end', async () => {
  const folder = await tempFolder();
  const files = await ensureTls(folder);
  const [ca, first] = await Promise.all([readFile(files.caFile, 'utf8'), readFile(files.certFile, 'utf8')]);
  await ensureTls(folder);
  expect(await readFile(files.certFile, 'utf8')).toBe(first);
  await ensureTls(folder, Date.now() + 370 * DAY_MS);
  expect(await readFile(files.certFile, 'utf8')).not.toBe(first);
  expect(await readFile(files.caFile, 'utf8')).toBe(ca);
});

test('damaged files are replaced', async () => {
  const files = await ensureTls(await tempFolder());
  await writeFile(files.keyFile, 'damaged');
  const again = await ensureTls(files.keyFile.replace('/localhost.key', ''));
  expect((await handshake(again, 'localhost')).authorized).toBe(true);
});

test('a certificate that lacks a name is replaced', async () => {
  const folder = await tempFolder();
  const files = await ensureTls(folder);
  const authority = {
    publicKey: new X509Certificate(await readFile(files.caFile)).publicKey,
    privateKey: createPrivateKey(await readFile(join(folder, 'ca.key'))),
    name: new X509Certificate(await readFile(files.caFile)).subject.replace('CN=', ''),
  };
  const publicKey = createPublicKey(await readFile(files.keyFile));
  const [notBefore, notAfter] = [Date.now() - DAY_MS, Date.now() + 300 * DAY_MS];
  const names = ['localhost', '127.0.0.1', '::1'];
  const older = await makeCertificate({
    subject: 'localhost',
    issuer: authority,
    publicKey,
    names,
    notBefore,
    notAfter,
  });
  await writeFile(files.certFile, older);
  await ensureTls(folder);
  expect(await readFile(files.certFile, 'utf8')).not.toBe(older);
  expect((await handshake(files, 'resend.localhost')).authorized).toBe(true);
});
