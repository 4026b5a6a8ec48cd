// `npm run images`: writes the digest of every image into the files of deploy/, as Docker's registry has it now. Run it
// at each release, read the difference, build and try the images. Another folder may be given.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { imagesIn, pinImages, readDeployFiles, UNPINNED_FILE } from './images.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '../../deploy');
const digests = new Map<string, string>();

function digestOf(image: string): string {
  const known = digests.get(image);
  if (known !== undefined) return known;
  // `json`, because buildx prints its whole report for the bare name of the field.
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest.Digest}}'];
  const digest: unknown = JSON.parse(execFileSync('docker', args, { encoding: 'utf8' }));
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`docker named no digest of ${image}: ${String(digest)}`);
  }
  digests.set(image, digest);
  console.log(`${image}@${digest}`);
  return digest;
}

// All digests before the first file is written: half of them would be worse than none.
const pinned = readDeployFiles(folder)
  .filter((file) => imagesIn(file).length > 0)
  .map((file) => ({ path: file.path, text: pinImages(file, digestOf) }));
for (const { path, text } of pinned) writeFileSync(path, text);
writeFileSync(join(folder, UNPINNED_FILE), '[]\n');
