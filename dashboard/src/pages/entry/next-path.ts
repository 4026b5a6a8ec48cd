// Where to go after signing in.

/** The path that `?next=` names when it is one of this dashboard, else the overview. */
export function nextPath(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const url = URL.parse(next, origin);
  const own =
    url !== null && url.origin === origin && next.startsWith('/') && !url.pathname.startsWith('/sign-in');
  return own ? `${url.pathname}${url.search}` : '/';
}
