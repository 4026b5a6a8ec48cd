// `npm run clock -- +1d`: moves the clock of a running `npm start -- --clock`. Every midnight and every 02:00 on the way passes by
// itself, with all that the service does then; a day takes 39 s.

import { join } from 'node:path';

import { MissingServerError } from '../servers/install.ts';
import { readConnection } from '../start/connection.ts';
import { CLOCK_FOLDER, withMovedClock } from './moved-clock.ts';
import { readTime } from './read-time.ts';
import { walk } from './walk.ts';

const FOLDER = join(import.meta.dirname, '../../.local', CLOCK_FOLDER);
const TELL_EVERY_MS = 5_000;
const USAGE = `usage: npm run clock [-- TIME]

Shows the time of the service that runs by \`npm start -- --clock\`. With TIME it is moved there:
+6h, +2d, 2026-12-01 (00:00 UTC) or 2026-12-01T03:00Z. A day takes 39 s.
Example: npm run clock -- +1d
Exit codes: 0 done, 1 failed, 2 wrong usage`;

const WHY = 'No `npm start -- --clock` that answers runs in this checkout';

process.exitCode = await main();

async function main(): Promise<number> {
  const [text, ...more] = process.argv.slice(2);
  if (text === '--help') return say(USAGE, 0);
  if (more.length > 0 || text?.startsWith('-')) return say(USAGE, 2);
  try {
    const { database_url: databaseUrl } = await readConnection(join(FOLDER, 'connection.json'));
    return await withMovedClock(FOLDER, databaseUrl, async (calendar) => {
      const now = await calendar.now();
      if (text === undefined) return say(now.toISOString(), 0);
      const to = readTime(text, now);
      if (to === null) return say(`${text} is no time after ${now.toISOString()}\n\n${USAGE}`, 2);
      const telling = setInterval(
        () =>
          void calendar.now().then(
            (time) => say(time.toISOString(), 0),
            () => {},
          ),
        TELL_EVERY_MS,
      );
      await walk({ calendar, to, log: (line) => say(line, 0), signal: new AbortController().signal });
      clearInterval(telling);
      return say(`it is ${(await calendar.now()).toISOString()}`, 0);
    });
  } catch (error) {
    return say(error instanceof MissingServerError ? error.message : `${WHY}: ${String(error)}`, 1);
  }
}

function say(line: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  return code;
}
