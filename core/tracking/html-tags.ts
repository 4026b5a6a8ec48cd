// The tags of an HTML as parsers of HTML see them, with their places: by htmlparser2's tokenizer, which knows comments, text that
// only looks like tags, quotes and character references. Linear in the length of the HTML.

import { QuoteType, Tokenizer } from 'htmlparser2';

/** An attribute with a value: `from` to `to` are its octets in the tag, its name and quotes included. */
interface Attribute {
  from: number;
  to: number;
  /** Without its character references. */
  value: string;
}

/** A tag that begins an element, with the attributes that were asked for; of two with one name the first counts, as in browsers. */
export interface Tag {
  /** In lower case. */
  name: string;
  attributes: Map<string, Attribute>;
}

const WITHOUT_VALUE = { from: 0, to: 0, value: '' };

/** Calls `found` for each whole tag that begins an element. Of its attributes those in `names` are read. */
export function readTags(html: string, names: ReadonlySet<string>, found: (tag: Tag) => void): void {
  let tag: Tag | null = null;
  let attribute = { name: '', from: 0, value: '' };
  const end = () => {
    if (tag) found(tag);
    tag = null;
  };
  tokenize(html, {
    onopentagname(start, to) {
      tag = { name: html.slice(start, to).toLowerCase(), attributes: new Map() };
    },
    onattribname(from, to) {
      attribute = { name: html.slice(from, to).toLowerCase(), from, value: '' };
    },
    onattribdata(start, to) {
      if (names.has(attribute.name)) attribute.value += html.slice(start, to);
    },
    onattribentity(code) {
      attribute.value += String.fromCodePoint(code);
    },
    onattribend(quote, to) {
      const { name, from, value } = attribute;
      if (!tag || !names.has(name) || tag.attributes.has(name)) return;
      tag.attributes.set(name, quote === QuoteType.NoValue ? WITHOUT_VALUE : { from, to, value });
    },
    onopentagend: end,
    onselfclosingtag: end,
  });
}

// Text in these is no HTML, and an unclosed one swallows what follows; what is in `template` is not shown.
const SWALLOWING = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'template', 'iframe', 'noembed']);

/** Where something may be put to be the last that is shown: before the `</body>` that counts, else where all tags have ended. */
export function endOfBody(html: string): number {
  let body = -1;
  let last = 0; // up to here everything is closed
  let open: { name: string; start: number } | null = null;
  const upTo = (at: number) => {
    if (open === null) last = at;
  };
  let name = '';
  let start = 0;
  tokenize(html, {
    onopentagname(from, to) {
      name = html.slice(from, to).toLowerCase();
      start = from - 1;
    },
    onopentagend(at) {
      if (open === null && SWALLOWING.has(name)) {
        last = start;
        open = { name, start };
      } else upTo(at + 1);
    },
    onselfclosingtag(at) {
      upTo(at + 1);
    },
    onclosetag(from, to) {
      const closed = html.slice(from, to).toLowerCase();
      if (open?.name === closed) open = null;
      if (open !== null) return;
      if (closed === 'body') body = from - 2;
      const at = html.indexOf('>', to);
      upTo(at < 0 ? from - 2 : at + 1);
    },
    ontext(_, to) {
      upTo(to);
    },
    ontextentity(_, to) {
      upTo(to);
    },
    oncomment(from, to, endOffset) {
      // One that is never closed hides all that follows.
      if (endOffset > 0 || to < html.length) upTo(Math.min(to + 1, html.length));
      else upTo(Math.max(html.lastIndexOf('<!', from), 0));
    },
    ondeclaration(_, to) {
      upTo(to + 1);
    },
    onprocessinginstruction(_, to) {
      upTo(to + 1);
    },
  });
  return body < 0 ? last : body;
}

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

const NOTHING: Callbacks = {
  onattribdata() {},
  onattribend() {},
  onattribentity() {},
  onattribname() {},
  oncdata() {},
  onclosetag() {},
  oncomment() {},
  ondeclaration() {},
  onend() {},
  onopentagend() {},
  onopentagname() {},
  onprocessinginstruction() {},
  onselfclosingtag() {},
  ontext() {},
  ontextentity() {},
};

function tokenize(html: string, callbacks: Partial<Callbacks>): void {
  const tokenizer = new Tokenizer({}, { ...NOTHING, ...callbacks });
  tokenizer.write(html);
  tokenizer.end();
}
