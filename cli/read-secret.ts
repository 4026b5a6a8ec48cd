// Reads a secret that must not be on a command line: other users of the machine see those, and shells keep them.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The first line of standard input; at a terminal it is asked for and not shown while it is typed. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin: input, stderr } = process;
  if (input.isTTY) stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: input.isTTY });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (input.isTTY) stderr.write('\n');
  }
}
