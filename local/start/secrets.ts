// The secrets of this checkout, made at the first start: what a deployment would get from its secret store.

import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const secrets = z.object({ master_key: z.string(), internal_token: z.string() });

/** MASTER_KEY and INTERNAL_TOKEN of the settings. */
export type Secrets = z.infer<typeof secrets>;

/** Reads the file or makes it, readable by its owner only. A damaged file is an error: the data need its key. */
export async function loadSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parse(file, text);
  const made = {
    master_key: randomBytes(32).toString('base64'),
    internal_token: randomBytes(24).toString('hex'),
  };
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

function parse(file: string, text: string): Secrets {
  try {
    return secrets.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${file} is damaged. It holds the key to the secrets in the database: bring it back from a copy, ` +
        'or delete the folder .local to start anew.',
    );
  }
}
