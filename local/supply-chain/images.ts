// The images that deploy/ names. A tag may be another image tomorrow; a digest is this one for ever. What has no digest
// yet is in deploy/unpinned-images.json, and `npm run images` gives it one (docs/supply-chain.md).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the files that name images: those that wait for their digest, as a JSON list. */
export const UNPINNED_FILE = 'unpinned-images.json';

const OUR_IMAGE = 'postrider'; // built from this repository
const DIGEST = /@sha256:[0-9a-f]{64}$/;
const REFERENCE = /^(?:FROM|\s*(?:- )?image:) +(?:--platform=\S+ +)?['"]?([^\s'"]+)/gm;
const STAGE = /^FROM .* AS (\S+)$/gm;

/** A file of deploy/ and what it says. */
export interface DeployFile {
  path: string;
  text: string;
}

/** The Dockerfiles and YAML files of a folder and of those below it. */
export function readDeployFiles(folder: string): DeployFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /Dockerfile|\.ya?ml$/.test(file))
    .toSorted()
    .map((file) => ({ path: join(folder, file), text: readFileSync(join(folder, file), 'utf8') }));
}

/** The images of others that a file names, as it names them. */
export function imagesIn({ text }: Pick<DeployFile, 'text'>): string[] {
  return [...text.matchAll(REFERENCE)].map((match) => match[1]!).filter(isOfOthers(text));
}

// Neither ours nor a stage of the same Dockerfile, nor what a template of the chart has yet to say.
function isOfOthers(text: string): (image: string) => boolean {
  const stages = new Set([...text.matchAll(STAGE)].map((match) => match[1]!));
  return (image) => image !== OUR_IMAGE && !stages.has(image) && !image.startsWith('{{');
}

/** What is wrong: an image without a digest that is not listed, or a listed one that needs it no more. */
export function imageProblems(files: DeployFile[], unpinned: readonly string[]): string[] {
  const waiting = new Set(files.flatMap(imagesIn).filter((image) => !DIGEST.test(image)));
  return [
    ...[...waiting]
      .filter((image) => !unpinned.includes(image))
      .map((image) => `${image} has no digest: npm run images, or add it to deploy/${UNPINNED_FILE}`),
    ...unpinned
      .filter((image) => !waiting.has(image))
      .map((image) => `${image} is in deploy/${UNPINNED_FILE} and in no file without a digest: remove it`),
  ];
}

/** The text with the digest of every image that it names by tag, or by tag and an older digest. */
export function pinImages({ text }: Pick<DeployFile, 'text'>, digestOf: (image: string) => string): string {
  const isPinned = isOfOthers(text);
  return text.replaceAll(REFERENCE, (found, image: string) => {
    if (!isPinned(image)) return found;
    const tag = image.replace(DIGEST, '');
    return `${found.slice(0, -image.length)}${tag}@${digestOf(tag)}`;
  });
}
