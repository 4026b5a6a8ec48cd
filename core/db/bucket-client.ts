// A connection that works for one bucket after the other: the search path says for which.

import pg from 'pg';

import { goingOn, whileWaiting } from '../base/loop-time.ts';
import { HOME } from './service-tables.ts';

/**
 * A connection of a pool that several buckets share. Whoever takes it from the pool says for which bucket (`enter`). Prepared
 * statements are prepared for each bucket: the server would plan one anew each time that the search path changes.
 */
export class BucketClient extends pg.Client {
  #bucket = HOME;

  /** Statements from now on are about this bucket. Costs a round trip when it is another one than before. */
  async enter(bucket: string): Promise<void> {
    if (bucket === this.#bucket) return;
    await super.query("select set_config('search_path', $1, false)", [searchPath(bucket)]);
    this.#bucket = bucket;
  }

  // pg has a dozen forms of this; only the name of a statement, and that its caller waits, is of interest here.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(config: any, ...more: any[]): any {
    const isOwn = this.#bucket !== HOME && isNamed(config);
    const done = more.at(-1);
    if (typeof done === 'function') more[more.length - 1] = goingOn(done);
    return whileWaiting(
      super.query(isOwn ? { ...config, name: `${this.#bucket}:${config.name}` } : config, ...more),
    );
  }
}

/** What finds the tables of a bucket, and behind them those that there are once (core/db/service-tables.ts). */
export function searchPath(bucket: string): string {
  return bucket === HOME ? HOME : `${pg.escapeIdentifier(bucket)}, ${HOME}`;
}

function isNamed(config: unknown): config is { name: string } {
  return typeof (config as { name?: unknown } | null)?.name === 'string';
}
