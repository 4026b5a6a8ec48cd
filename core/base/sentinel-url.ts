// Redis behind Sentinel in one setting: redis+sentinel://user:password@host:26379,host:26379/name. User and password are
// those of the Redis servers; the sentinels are asked without.

/** What such a URL says. */
export interface SentinelUrl {
  /** What the sentinels call the master. */
  name: string;
  sentinels: { host: string; port: number }[];
  username?: string;
  password?: string;
}

const PARTS = /^redis\+sentinel:\/\/(?:([^@/]*)@)?([^@/]+)\/([\w.-]+)$/;
const DEFAULT_PORT = 26_379;

/** Reads it; null for what is none. */
export function parseSentinelUrl(text: string): SentinelUrl | null {
  const [, login = '', addresses, name] = PARTS.exec(text) ?? [];
  if (!addresses || !name) return null;
  const urls = addresses.split(',').map((address) => `redis://${login}@${address}`);
  if (!urls.every((url) => URL.canParse(url))) return null;
  const { username, password } = new URL(urls[0]!);
  return {
    name,
    sentinels: urls.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname, port: Number(port || DEFAULT_PORT) };
    }),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
}
