// People paste the address of their website, or their own e-mail address, where a domain is asked for.

/** The domain in what was pasted: "https://www.Example.com/shop" and "ada@Example.com." are "example.com". */
export function cleanDomain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z\d+.-]*:(\/\/)?/, '') // scheme
    .replace(/[/?#\\].*$/s, '') // path, query
    .replace(/^.*@/s, '') // mailbox, or user of a URL
    .replace(/:\d*$/, '') // port
    .replace(/^www\.(?=.+\.)/, '') // where the website is, not what mail is from
    .replace(/\.$/, '');
}
