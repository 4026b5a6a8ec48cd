// Pieces of the sentences of core/message/explain-rules.ts. An input that is not there (mail of an earlier version) leaves
// its part of the sentence out.

/** The numbers of a decision, as JSON has them: times are ISO 8601. */
export type DecisionInputs = Record<string, unknown>;

/** "2026-11-24 00:00 UTC". */
export function utc(at: Date): string {
  const text = at.toISOString();
  return `${text.slice(0, text.endsWith(':00.000Z') ? 16 : 19).replace('T', ' ')} UTC`;
}

/** A number; 0 when it is not there. */
export function numberOf(inputs: DecisionInputs, name: string): number {
  const value = inputs[name];
  return typeof value === 'number' ? value : 0;
}

/** A text, or what stands for one that is not there. */
export function textOf(inputs: DecisionInputs, name: string, missing = ''): string {
  const value = inputs[name];
  return typeof value === 'string' && value !== '' ? value : missing;
}

/** A time; the epoch when it is not there. */
export function timeOf(inputs: DecisionInputs, name: string): Date {
  return new Date(textOf(inputs, name, '1970-01-01T00:00:00Z'));
}

/** "250 of 250". */
export function countWords(inputs: DecisionInputs, used: string, most: string): string {
  return `${numberOf(inputs, used)} of ${numberOf(inputs, most)}`;
}

/** " as message 17 of 250 of the day's cap (tier 2)", or nothing. */
export function dayWords(inputs: DecisionInputs): string {
  if (!('cap' in inputs)) return '';
  return ` as message ${countWords(inputs, 'used', 'cap')} of the day's cap${tierWords(inputs)}${reservedWords(inputs)}`;
}

/** "250 of 250 messages of the day's cap (tier 2) are used": which part of it is full. */
export function capWords(inputs: DecisionInputs): string {
  if (!('cap' in inputs)) return "the day's cap is used";
  const bulkFull = 'bulk_cap' in inputs && numberOf(inputs, 'bulk_used') >= numberOf(inputs, 'bulk_cap');
  const full = numberOf(inputs, 'used') + numberOf(inputs, 'reserved') >= numberOf(inputs, 'cap');
  return bulkFull && !full
    ? `${countWords(inputs, 'bulk_used', 'bulk_cap')} campaign messages of the day's cap${tierWords(inputs)} are used, the rest is kept for transactional mail`
    : `${countWords(inputs, 'used', 'cap')} messages of the day's cap${tierWords(inputs)} are used${reservedWords(inputs)}${systemWords(inputs)}`;
}

function systemWords(inputs: DecisionInputs): string {
  if (!('system_reserve' in inputs)) return '';
  return `, ${numberOf(inputs, 'system_reserve')} are reserved for password resets and notices of this service`;
}

/** "80 of 80 messages of the route relay are used". */
export function routeWords(inputs: DecisionInputs): string {
  if (!('sub_cap' in inputs))
    return `the messages of the route ${textOf(inputs, 'route', 'of this message')} are used`;
  return `${countWords(inputs, 'used', 'sub_cap')} messages of the route ${textOf(inputs, 'route', 'of this message')} are used`;
}

/** "gmail takes 5 connections and 100 messages a minute of us, and enough waits for that already". */
export function providerWords(inputs: DecisionInputs): string {
  const provider = textOf(inputs, 'provider', 'its mailbox provider');
  if (!('connections' in inputs)) return `${provider} takes no more of us for now`;
  const takes = `${provider} takes ${numberOf(inputs, 'connections')} connections and ${numberOf(inputs, 'per_minute')} messages a minute of us`;
  switch (inputs['limit']) {
    case 'pause':
      return `${provider} asked for a pause; after it, it ${takes.slice(provider.length + 1)}`;
    case 'crowded':
      return `${takes}, and other senders have all connections`;
    case 'refused':
      return `${takes}, and refused one more connection`;
    default:
      return `${takes}, and enough waits for that already`;
  }
}

/** ": mx.example.net said 451 4.7.1 Try later", or the end of the sentence when nothing is known of a reply. */
export function replyWords(inputs: DecisionInputs): string {
  const said = saidBy(inputs);
  const mx = textOf(inputs, 'mx');
  if (!('smtp_code' in inputs)) return said === '' ? '.' : `: ${said}`;
  return mx === '' ? `: ${said}` : `: ${mx} said ${said}`;
}

/** What a server said, with its codes, in one line; without one, what went wrong. */
export function saidBy(inputs: DecisionInputs): string {
  const reply = textOf(inputs, 'reply').replaceAll('\n', ' ');
  if (!('smtp_code' in inputs)) return reply;
  const code = [numberOf(inputs, 'smtp_code'), textOf(inputs, 'enhanced_code')].join(' ').trim();
  return reply.startsWith(code) ? reply : `${code} ${reply}`;
}

function tierWords(inputs: DecisionInputs): string {
  return 'tier' in inputs ? ` (tier ${numberOf(inputs, 'tier')})` : '';
}

function reservedWords(inputs: DecisionInputs): string {
  const reserved = numberOf(inputs, 'reserved');
  return reserved === 0 ? '' : `, ${reserved} more are reserved for earlier mail`;
}
