// The kinds of settings that config.ts is made of: how the text of each is read, and what a wrong one is told.

import { z } from 'zod';

import { serverUrls } from './database-url.ts';
import { egressPools } from './egress-pools.ts';
import { parseSenderAddress } from './sender-address.ts';

interface Bounds {
  min: number;
  max: number;
}
const within = (kind: z.ZodCoercedNumber, { min, max }: Bounds, fallback: number) =>
  kind.min(min).max(max).default(fallback);

/** A whole number within bounds. */
export const integer = (fallback: number, bounds: Bounds) =>
  within(z.coerce.number().int(), bounds, fallback);

/** A number within bounds. */
export const number = (fallback: number, bounds: Bounds) => within(z.coerce.number(), bounds, fallback);

/** A port; 0 lets the system choose one. */
export const port = (fallback: number) => integer(fallback, { min: 0, max: 65_535 });

/** Yes or no. */
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true' || value === '1');

/** Texts separated by commas. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** Where senders are: `host:port`, `dns:///name:port`, `srv:///_service._tcp.name`. */
export const senderAddresses = list.check((context) => {
  for (const text of context.value.filter((one) => parseSenderAddress(one) === null)) {
    const message = `"${text}" is neither host:port, nor dns:///name:port, nor srv:///_service._tcp.name`;
    context.issues.push({ code: 'custom', message, input: text });
  }
});

/** A text that may be left out. */
export const optionalText = z.string().min(1).optional();

/** A 32-byte secret in base64 (44 characters) or hex (64 characters). */
export const secretKey = z.string().transform((text, context) => {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 or hex' });
  return z.NEVER;
});

/** Names with values, `key=value,key=value`, the values percent-encoded (as in W3C Baggage). */
export const keyValues = z
  .string()
  .default('')
  .transform((text, context) => {
    try {
      const pairs = text.split(',').filter((pair) => pair.trim() !== '');
      return Object.fromEntries(pairs.map((pair) => readPair(pair)));
    } catch (error) {
      context.addIssue({ code: 'custom', message: `must be key=value pairs: ${(error as Error).message}` });
      return z.NEVER;
    }
  });

function readPair(pair: string): [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`${pair.trim()} has no =`);
  return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
}

/** One or several PostgreSQL servers. */
export const databaseUrl = z.string().check((context) => {
  try {
    serverUrls(context.value);
  } catch (error) {
    context.issues.push({ code: 'custom', message: (error as Error).message, input: context.value });
  }
});

/** One outbound route. `url` is absent for `direct`, which looks up the MX of the recipient's domain. */
const route = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/),
  url: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  weight: z.number().int().min(0).max(1000).default(1),
  sub_cap_share: z.number().min(0).max(1).optional(),
  pool: z.string().optional(),
});

const hostName = z
  .string()
  .max(253)
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a host name in lower case, such as mx.example.com');

/** A mailbox provider that the table in core/mailbox-provider does not have, or has with other limits. */
const provider = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/),
  mx: z.array(hostName).min(1).max(50),
  connections: z.number().int().min(1).max(10_000),
  per_minute: z.number().int().min(1).max(10_000_000),
});

// A setting in JSON; its errors say which entry and why.
function json<Value extends z.ZodType>(what: string, value: Value, fallback: string) {
  return z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const fail = (why: string) => {
        context.addIssue({ code: 'custom', message: `must be a JSON ${what}: ${why}` });
        return z.NEVER;
      };
      try {
        const parsed = value.safeParse(JSON.parse(text));
        if (parsed.success) return parsed.data;
        return fail(
          parsed.error.issues
            .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
            .join('; '),
        );
      } catch (error) {
        return fail(String(error));
      }
    });
}

/** The ways out, at least one. */
export const routes = json('list of routes', z.array(route).min(1), '[{"name":"direct","weight":1}]');

/** Mailbox providers beside those that are known. */
export const providers = json(
  'list of mailbox providers',
  z.array(provider).refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    message: 'two have the same name',
  }),
  '[]',
);

/** Pools of source addresses. */
export const pools = json('list of pools', egressPools, '[]');

/** The host names at which the APIs of other services are served at the root. */
export const compatHosts = json(
  'object of services and host names',
  z
    .strictObject({
      resend: hostName.optional(),
      sendgrid: hostName.optional(),
      postmark: hostName.optional(),
    })
    .refine((hosts) => new Set(Object.values(hosts)).size === Object.keys(hosts).length, {
      message: 'two services have the same host name',
    }),
  '{}',
);

/** A way out: `direct` to the recipient's MX, or a named SMTP relay. */
export type Route = z.infer<typeof route>;
