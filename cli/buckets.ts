// Commands about buckets: the schemas that tenants live in.

import { addBucket } from '../core/db/migrate.ts';
import { selectBuckets, setOpen } from '../core/tenant/bucket-store.ts';
import { UsageError, type Answer, type Command } from './command.ts';
import type { CliDeps } from './open.ts';

/** `bucket add`, `bucket list`, `bucket open` and `bucket close`. */
export const bucketCommands: Command[] = [
  {
    name: 'bucket add',
    help: 'makes a bucket, a schema for tenants that are created from now on; services find it within seconds',
    args: ['NAME'],
    options: {},
    async run({ databaseUrl }, [name = '']) {
      await addBucket(databaseUrl, name, { log: (line) => process.stderr.write(`${line}\n`) });
      return { json: { bucket: name }, text: `The bucket ${name} is there and open.` };
    },
  },
  {
    name: 'bucket list',
    help: 'all buckets: how many tenants each has, and whether new ones come to it',
    args: [],
    options: {},
    async run({ db }) {
      const buckets = await selectBuckets(db.pool);
      const lines = buckets.map(
        ({ name, isOpen, tenants }) => `${name}: ${tenants} tenants, ${isOpen ? 'open' : 'closed'}`,
      );
      const json = buckets.map(({ name, isOpen, tenants }) => ({ name, open: isOpen, tenants }));
      return { json: { buckets: json }, text: lines.join('\n') };
    },
  },
  {
    name: 'bucket open',
    help: 'new tenants come to this bucket again',
    args: ['NAME'],
    options: {},
    run: ({ db }, [name = '']) => changeOpen(db, name, true),
  },
  {
    name: 'bucket close',
    help: 'new tenants go to other buckets; those that are in this one stay',
    args: ['NAME'],
    options: {},
    run: ({ db }, [name = '']) => changeOpen(db, name, false),
  },
];

async function changeOpen(db: CliDeps['db'], name: string, isOpen: boolean): Promise<Answer> {
  const result = await setOpen(db.pool, name, isOpen);
  if (result === 'none') throw new UsageError(`there is no bucket ${name}: see \`bucket list\``);
  if (result === 'last')
    throw new UsageError(`${name} is the only open bucket: add or open another one first`);
  return {
    json: { bucket: name, open: isOpen },
    text: `The bucket ${name} is ${isOpen ? 'open' : 'closed'}.`,
  };
}
