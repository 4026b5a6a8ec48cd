// Takes `{ "contacts": [ … ], … }` apart while it streams in: each contact's text on its own, and the rest of the body,
// small, at the end. So 100 MiB of contacts cost the memory of one.

/** Reads a body piece by piece. */
export interface JsonContacts {
  /** The texts of the contacts that ended in this piece. Throws JsonProblem. */
  push(piece: Buffer): string[];
  /** The body with a 0 in the place of each contact. Throws JsonProblem. */
  end(): unknown;
}

/** What is wrong with the body, for the client. */
export class JsonProblem extends Error {}

const MAX_CONTACT_BYTES = 65_536; // a contact has at most 16 KiB of attributes
const MAX_REST_BYTES = 65_536; // 10,000 contacts leave 20 KB of zeros and commas
const MAX_DEPTH = 32; // as everywhere in the API

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const LIST_DEPTH = 2; // inside the body's object and the list in it

/** Starts reading a body. */
export function readJsonContacts(): JsonContacts {
  let depth = 0;
  let inText = false;
  let escaped = false;
  /** The last text at the top level: the name of the field that a list belongs to. */
  let name: number[] = [];
  let inContacts = false;
  let collecting = false;
  let contact: Buffer[] = [];
  let contactBytes = 0;
  const rest: number[] = [];

  const keepRest = (byte: number) => {
    if (rest.length === MAX_REST_BYTES) throw new JsonProblem('The body is too large beside its contacts.');
    rest.push(byte);
  };

  function push(piece: Buffer): string[] {
    const done: string[] = [];
    let from = 0;
    const take = (to: number) => {
      contactBytes += to - from;
      if (contactBytes > MAX_CONTACT_BYTES) throw new JsonProblem('A contact is larger than 64 KiB.');
      contact.push(piece.subarray(from, to));
    };
    const finish = (to: number) => {
      take(to);
      done.push(Buffer.concat(contact).toString('utf8'));
      contact = [];
      contactBytes = 0;
      collecting = false;
      keepRest(0x30);
    };
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      const structural = !inText;
      // A number or a word in the place of a contact ends where the list goes on.
      if (collecting && structural && depth === LIST_DEPTH && (byte === COMMA || CLOSE.has(byte))) finish(at);
      if (inContacts && !collecting && structural && !SPACE.has(byte) && byte !== COMMA && !CLOSE.has(byte)) {
        collecting = true;
        from = at;
      }
      if (!collecting) keepRest(byte);
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
        if (inText && depth === 1 && name.length < 64) name.push(byte);
      } else if (byte === QUOTE) {
        inText = true;
        if (depth === 1) name = [];
      } else if (OPEN.has(byte)) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new JsonProblem(`The body is nested deeper than ${MAX_DEPTH} levels.`);
        if (depth === LIST_DEPTH && byte === 0x5b) inContacts = Buffer.from(name).toString() === 'contacts';
      } else if (CLOSE.has(byte)) {
        depth -= 1;
        if (collecting && depth === LIST_DEPTH) finish(at + 1);
        if (depth < LIST_DEPTH) inContacts = false;
      }
    }
    if (collecting) {
      take(piece.length);
      // What is kept must not hold on to the whole piece.
      contact = [Buffer.from(Buffer.concat(contact))];
    }
    return done;
  }

  function end(): unknown {
    if (collecting || inText || depth !== 0) throw new JsonProblem('The body is not valid JSON.');
    try {
      return JSON.parse(Buffer.from(rest).toString('utf8'));
    } catch {
      throw new JsonProblem(
        rest.length === 0 ? 'The body is empty; it must be JSON.' : 'The body is not valid JSON.',
      );
    }
  }

  return { push, end };
}
