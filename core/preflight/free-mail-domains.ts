// Domains at which anybody can have a mailbox: mail From them passes DMARC only when the provider itself sends it.

const GOOGLE = 'https://support.google.com/a/answer/81126'; // names Gmail's two, and forbids their use in From
// Outlook.com's announcement for senders names these.
const OUTLOOK =
  'https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730';
const LIST = 'https://github.com/Kikobeats/free-email-domains'; // a list that is kept up; the largest of it are here

/** Each with where it is from. */
export const FREE_MAIL_DOMAINS: ReadonlyMap<string, string> = new Map([
  ['gmail.com', GOOGLE],
  ['googlemail.com', GOOGLE],
  ['outlook.com', OUTLOOK],
  ['hotmail.com', OUTLOOK],
  ['live.com', OUTLOOK],
  ['msn.com', LIST],
  ['yahoo.com', LIST],
  ['yahoo.co.uk', LIST],
  ['yahoo.co.in', LIST],
  ['yahoo.de', LIST],
  ['yahoo.fr', LIST],
  ['yahoo.it', LIST],
  ['yahoo.es', LIST],
  ['ymail.com', LIST],
  ['rocketmail.com', LIST],
  ['aol.com', LIST],
  ['icloud.com', LIST],
  ['me.com', LIST],
  ['mac.com', LIST],
  ['protonmail.com', LIST],
  ['gmx.net', LIST],
  ['gmx.de', LIST],
  ['gmx.com', LIST],
  ['web.de', LIST],
  ['mail.com', LIST],
  ['t-online.de', LIST],
  ['mail.ru', LIST],
  ['yandex.ru', LIST],
  ['yandex.com', LIST],
  ['qq.com', LIST],
  ['163.com', LIST],
  ['orange.fr', LIST],
]);
