// Mail that a machine wrote in answer to ours, and that is no bounce: out of office, "we got your mail" (RFC 3834).

/** Reads one header field by lower-case name; an empty string when it is absent. */
export type ReadHeader = (name: string) => string;

const SUBJECT =
  /^(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response|responder|matisch)|out of (?:the )?office|ooo\b|away from|abwesenheit|automatische antwort|re: auto|réponse automatique|respuesta autom|vacation|on (?:vacation|holiday|leave)|i am (?:away|on)|自動(?:応答|返信))/i;

/** Whether Auto-Submitted (RFC 3834 section 5) says anything but `no`, or an older field says the same. */
export function isAutoSubmitted(header: ReadHeader): boolean {
  const declared = keyword(header('auto-submitted'));
  if (declared !== '') return declared !== 'no';
  return header('x-autoreply') !== '' ||
    header('x-autorespond') !== '' ||
    header('x-auto-response-suppress') !== ''
    ? isAutoReply(header)
    : false;
}

/** Whether this is a personal automatic answer, such as a vacation note. Bounces are recognized before. */
export function isAutoReply(header: ReadHeader): boolean {
  if (keyword(header('auto-submitted')) === 'auto-replied') return true;
  if (/^(?:yes|auto|1)/i.test(header('x-autoreply')) || header('x-autorespond') !== '') return true;
  if (header('x-autoresponder') !== '' || header('x-vacation') !== '') return true;
  return /auto_?reply/i.test(header('precedence')) || SUBJECT.test(header('subject').trim());
}

function keyword(value: string): string {
  return /^[a-z-]*/.exec(value.trim().toLowerCase())?.[0] ?? '';
}
