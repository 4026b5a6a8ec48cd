// What the words of a report say of it as a whole: whether it is a bounce at all, and whether it only reports a delay.

import { classifyBounce } from '../bounce/classify-bounce.ts';
import type { BounceClass } from '../bounce/bounce-classes.ts';
import { isAutoReply } from './auto-submitted.ts';
import { headerOf, walkParts, type ReportPart } from './dsn-mime.ts';
import { readTextRecipients, reportText } from './dsn-text.ts';

const FROM =
  /mailer-?daemon|post_?master|mail delivery|mail administrator|system administrator|mdaemon|mail (?:router|gateway|server|system)|^<?>?$/i;
const STATUS_SUBJECT = /(?:delivery|mail|message).{0,30}(?:problem|status|delay)/i;
const FAILED_SUBJECT =
  /undeliver|non-?deliver|(?:delivery|mail|message|returned).{0,30}(?:fail|error|unknown|return|could ?n.t|not delivered|rejected)|fail(?:ed|ure)? (?:notice|delivery|mail)|returned (?:mail|to sender)|mail system error|could not be delivered|processing error|rejected|unzustellbar|non remis|échec|no entregad|devuelt|devolvid|mancata consegna|niet (?:afgeleverd|bezorgd)|не доставлен|недостав|退信|退件|失[败敗]|配信(?:不能|エラー)|送信エラー/i;
const TEXT =
  /could ?n(?:o|')t be (?:delivered|sent)|not (?:be )?delivered|undeliver(?:able|ed)|unable to deliver|delivery (?:has |to ).{0,80}fail|failed (?:permanently|to deliver)|did not reach|permanent (?:fatal )?error|delivery errors?|returned mail|mail (?:has been|was|is being) returned|transcript of session|error sending your mail|送信できません|送信に失敗|配信できません|无法(?:发送|送达|投递|传递)|無法(?:傳送|送達|投遞|傳遞)|konnte nicht zugestellt|n'a pas (?:pu|été)|no (?:pudo|se pudo|ha podido)|não (?:pôde|foi possível)|non è stato possibile|не может быть доставлено|не удалось доставить|qmail-send program|mail system|delivery failed|(?:not (?:been )?able|n't able) to deliver|(?:was|were) rejected|did not exactly match/i;
const REASONS: readonly BounceClass[] = [
  'invalid_recipient',
  'invalid_domain',
  'mailbox_full',
  'inactive_mailbox',
];

/** Whether a message without any machine-readable report is a bounce. A person who writes "your mail bounced" is none. */
export function looksLikeBounce(root: ReportPart): boolean {
  if (headerOf(root, 'x-failed-recipients') !== '') return true;
  const returnPath = headerOf(root, 'return-path').trim();
  const subject = headerOf(root, 'subject');
  const text = reportText(root);
  const isMailSystem = FROM.test(headerOf(root, 'from').trim()) || /^<?mailer-daemon/i.test(returnPath);
  // RFC 5321 section 4.5.5: reports have the null sender, and so has what an autoresponder sends.
  const isNobody = returnPath === '<>' || /no-?reply@/i.test(headerOf(root, 'from'));
  const isMachine = isMailSystem || (isNobody && !isAutoReply((name) => headerOf(root, name)));
  const isAnswer = ANSWER_SUBJECT.test(subject) && !isMachine;
  const isReport = isMachine || (!isAnswer && (STATUS.test(text) || returnsMail(root)));
  if (!isReport && !namesAnother(root)) return false;
  const saysFailed =
    !isAnswer &&
    (FAILED_SUBJECT.test(subject) || STATUS_SUBJECT.test(subject) || DELAY_SUBJECT.test(subject));
  return saysFailed || TEXT.test(text) || saysReason(text);
}

// A line of its own for an address that is not the writer's, in mail that by its fields answers none (RFC 5322 section 3.6.4).
function namesAnother(root: ReportPart): boolean {
  if (headerOf(root, 'in-reply-to') !== '' || headerOf(root, 'references') !== '') return false;
  if (isAutoReply((name) => headerOf(root, name))) return false;
  const from = headerOf(root, 'from').toLowerCase();
  return readTextRecipients(root).recipients.some(({ address }) => address !== '' && !from.includes(address));
}

function returnsMail(root: ReportPart): boolean {
  return [...walkParts(root)].some(
    ({ type, text }) =>
      /^message\/rfc822$|^text\/rfc822-headers$/.test(type) ||
      (type === 'text/plain' && /^\W{0,3}(?:received:\s(?:from|by)\s|return-path:\s?<)/im.test(text)),
  );
}

// The words behind it are those of the mail that is answered, and may be ours.
const ANSWER_SUBJECT = /^\s*(?:re|aw|antw?|sv|vs|fwd?|wg|tr|rv|res|odp|ynt|r|i)(?:\[\d{1,3}\])?\s?[:：]/i;

// A reply of SMTP with its enhanced code, or behind a word of a mail server: no price and no telephone number. Or a title
// that only mail systems write.
const STATUS =
  /(?:^|[\s(#:;<>["'])[45]\.\d{1,2}\.\d{1,3}(?![.\d])|^\W{0,8}[45]\d\d[ -](?:#?[45]\.|<|\S{0,20}[^\n]{0,80}@)|(?:\bsaid|smtp|server|error|reply|response|<<<|host \S{1,100})\b[^\n]{0,120}\b[45]\d\d\b|^\W{0,8}non-?delivery (?:report|notification)\b|transcript of session|mail (?:delivery )?(?:sub)?(?:system|software)|(?:mail|smtp) server\b|^\W{0,8}<[^\s<>@]{1,100}@[^\s<>]{1,253}>:/im;

function saysReason(text: string): boolean {
  const reply = { code: null, enhanced: null, text };
  return REASONS.includes(classifyBounce({ reply, stage: 'dsn' }).class);
}

const MAX_DELAY_CHARS = 4000; // what a report says of itself comes first

// Who reports goes on trying. Not "please try again", which is what a server said to the one who reports.
const GOES_ON =
  /not yet (?:been )?(?:received|delivered)|not been (?:received|delivered) yet|(?:attempts?|try(?:ing)?|efforts?)[^.]{0,40} will (?:be )?continue|will (?:continue|keep|go on) (?:to |on )?(?:\w{1,12} )?(?:try|attempt|retry|send|deliver)|will (?:automatically )?(?:be re-?tried|be retrying|retry|try again|be attempted)|(?:will be|still being|being) (?:re-?tried|re-?attempted)|continue (?:to be made|trying)|next (?:delivery )?attempt (?:in|at|will)|failed temporarily|warning (?:message )?only|only (?:a|an) (?:warning|notification about a delay)|(?:just a warning|advisory-only)|temporary failure report|kept in the queue|still (?:awaiting delivery|in the queue|queued|undelivered)|do not need to re-?send|no need to re-?send|no action is required|(?:delivery|message|mail|e-?mail)[^.]{0,80}(?:is|has been|have been|was|were) (?:temporarily )?(?:delayed|postponed|deferred)/;
const GOES_ON_ELSEWHERE =
  /noch nicht zugestellt|weiterhin versuch|erneut versuch|verzögert|pas encore|retard[eé]|nouvelle tentative|continuer[oa]n?s? [àa] essayer|todavía no|aún no|seguir[aáe]\w{0,4} intentando|retrasad|aplazad|ainda não|continuar\S{0,4} tentando|atrasad|non è (?:stato )?ancora|ritardat|nog niet|vertraagd|jeszcze nie|opóźni|ещ[её] не (?:было )?доставлен|попытк\S{1,4} (?:доставки )?(?:будут )?продолж|задерж|遅延|再送を|再試行|まだ配信|延迟|延遲|仍在尝试|继续尝试|將繼續|稍后重试|지연|다시 시도/;
const DELAY_SUBJECT =
  /delay(?:ed)?\b|still being retried|not yet (?:been )?delivered|warning: (?:could not send|message)|mail delivery warning|verzöger|retard|retras|atras|ritardo|vertraging|задерж|遅延|延迟|延遲/i;
// Said of the message, not of what may come: "you will hear if it permanently fails", "five days before giving up"; and
// not of a certificate on the way.
const ENDED =
  /(?<!\bif [^.]{0,60})(?:permanent(?:ly)? (?:fatal )?(?:error|fail)|failed permanently)|(?<!before )(?:giving|given|gave) up|stopped trying|(?<!\b(?:certificate|signature|key|password|account) (?:has |is |was )?)\bexpired\b|no (?:further|more) attempts|not going to try again|will not (?:be )?(?:try|retr|attempt)|has been (?:removed from the|returned|bounced)|final failure|aborted after/;

/** What a report says of delivery as a whole: that it goes on, that it ended, or neither. */
export function readAnnouncement(root: ReportPart): 'delayed' | 'failed' | null {
  const subject = headerOf(root, 'subject');
  const text = reportText(root).slice(0, MAX_DELAY_CHARS).toLowerCase().replace(/\s+/g, ' ');
  if (ENDED.test(text)) return 'failed';
  if (GOES_ON.test(text) || GOES_ON_ELSEWHERE.test(text) || DELAY_SUBJECT.test(subject)) return 'delayed';
  return TEXT.test(text) || FAILED_SUBJECT.test(subject) ? 'failed' : null;
}
