// DATABASE_URL may name several servers, of which one accepts writes, in libpq's form
// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS):
// postgres://user:password@one:5432,two:5432/postrider?target_session_attrs=read-write

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^]*)$/;
const WRITABLE = ['read-write', 'primary'];

/** One URL for each server that a DATABASE_URL names, in its order. Throws, saying why, when it is none. */
export function serverUrls(databaseUrl: string): [string, ...string[]] {
  const [, before = '', servers = '', after = ''] = PARTS.exec(databaseUrl) ?? [];
  if (before === '') throw new Error('must start with postgres://');
  const [first = '', ...others] = servers.split(',').map((server) => oneUrl(`${before}${server}${after}`));
  return [first, ...others];
}

// What is for choosing among servers is done here; pg does not know it.
function oneUrl(text: string): string {
  if (!URL.canParse(text)) throw new Error('is not the URL of a PostgreSQL database');
  if (!text.includes('target_session_attrs')) return text;
  const url = new URL(text);
  if (!WRITABLE.includes(url.searchParams.get('target_session_attrs') ?? ''))
    throw new Error(`target_session_attrs must be one of ${WRITABLE.join(', ')}: this service writes`);
  url.searchParams.delete('target_session_attrs');
  return url.toString();
}
