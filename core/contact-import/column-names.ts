// The names that other services give the columns of their exports, and the words in them.

import type { ContactStatus } from '../contact/contact.ts';
import type { SuppressionReason } from '../suppression/suppression-store.ts';

/** What a column may hold beside attributes. */
export const IMPORT_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'name',
  'tags',
  'status',
  'subscribed',
  'attributes',
  'unsubscribed_at',
  'bounced_at',
] as const;

/** Fields of an import of suppressions; other columns are ignored. */
export type SuppressionField = 'email' | 'reason' | 'created_at' | 'unsubscribed_at' | 'bounced_at';

/** One of them. `name` is the whole name, `subscribed` a yes or no, `attributes` a JSON object. */
export type ImportField = (typeof IMPORT_FIELDS)[number];

// Without blanks, dashes, underscores, dots and accents: Mailchimp (English, German, French, Spanish), Brevo, SendGrid, Postmark,
// Mailgun, listmonk, and common translations.
const SPELLINGS: Readonly<Record<ImportField, string>> = {
  email:
    'email emailaddress emailadresse adresseemail adressemail adressedemessagerie courriel correo correoelectronico ' +
    'direcciondecorreoelectronico direccionemail direcciondeemail indirizzoemail subscriberemail contactemail',
  first_name: 'firstname givenname forename fname vorname prenom nombre nome primernombre',
  last_name:
    'lastname surname familyname lname nachname familienname nom nomdefamille apellido apellidos cognome sobrenome',
  name: 'name fullname displayname contactname nomcomplet nombrecompleto vollstandigername',
  tags: 'tags tag etiquettes etiquetas labels schlagworte',
  status: 'status memberstatus subscriberstatus emailstatus contactstatus statut estado',
  subscribed: 'subscribed issubscribed optin',
  attributes: 'attributes attribs vars variables customfields',
  unsubscribed_at: 'unsubtime unsubscribedat unsubscribetime',
  bounced_at: 'cleantime cleanedat bouncedat',
};
/** Names of the address that other things have too: only where no other column holds it. */
const WEAK_EMAIL = 'address recipient subscriber adresse direccion';

const FIELD_OF = new Map(
  Object.entries(SPELLINGS).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as ImportField] as const),
  ),
);
const WEAK = new Set(WEAK_EMAIL.split(' '));

/** The field that a column of this name holds, or undefined. */
export function fieldOfName(name: string): ImportField | undefined {
  return FIELD_OF.get(plain(name));
}

// What SendGrid calls `status` and Mailgun `code` is the refusal of a bounce.
const REASONS =
  'reason suppressionreason blockedreason blockreason unsubscribereason bouncetype type status code error description grund raison motivo';
const TIMES =
  'created createdat createdtime createddate date time timestamp suppressedat blockedat addedat blockeddate datum fecha';
const SUPPRESSION_FIELD_OF = new Map<string, SuppressionField>([
  ...REASONS.split(' ').map((name) => [name, 'reason'] as const),
  ...TIMES.split(' ').map((name) => [name, 'created_at'] as const),
]);

/** The field that a column of this name holds in an export of suppressions, or undefined. */
export function suppressionFieldOfName(name: string): SuppressionField | undefined {
  const field = FIELD_OF.get(plain(name));
  if (field === 'email' || field === 'unsubscribed_at' || field === 'bounced_at') return field;
  return SUPPRESSION_FIELD_OF.get(plain(name));
}

/** Whether a column of this name holds the address when no other does: Mailgun's `address` is one, Mailchimp's is a street. */
export function mayBeEmail(name: string): boolean {
  return WEAK.has(plain(name));
}

/** What a word for the state of an address says: whether it is subscribed, and why it gets no mail at all. */
export interface StatusWord {
  status: ContactStatus;
  suppress: SuppressionReason | null;
}

const LEFT = { status: 'unsubscribed', suppress: null } as const;
const WORDS: readonly { says: StatusWord; words: string }[] = [
  {
    says: { status: 'subscribed', suppress: null },
    words:
      'subscribed active enabled confirmed optedin optin abonniert angemeldet abonne inscrit suscrito iscritto true yes y 1 ja oui si',
  },
  {
    says: LEFT,
    words:
      'unsubscribed unsubscribe unsub optedout optout inactive disabled pending unconfirmed nonsubscribed notsubscribed ' +
      'archived abgemeldet abbestellt nichtabonniert desabonne desinscrit nonabonne cancelado desuscrito nosuscrito ' +
      'dadodebaja disiscritto false no n 0 nein non',
  },
  {
    says: { status: 'unsubscribed', suppress: 'bounce' },
    words:
      'cleaned bounced bounce hardbounce hardbounced hard invalid undeliverable bereinigt nettoye limpiado',
  },
  {
    says: { status: 'unsubscribed', suppress: 'complaint' },
    words:
      'complained complaint spam spamcomplaint spamcomplaints spamreport spamreports abuse flaggedasspam markedasspam reportedasspam',
  },
  {
    says: { status: 'unsubscribed', suppress: 'manual' },
    words: 'blocklisted blacklisted blocked manual manualsuppression suppressed adminblocked',
  },
];
const WORD_OF = new Map(
  WORDS.flatMap(({ says, words }) => words.split(' ').map((word) => [word, says] as const)),
);

/** What a word in a status column says, or null for one that nobody uses. */
export function statusOfWord(word: string): StatusWord | null {
  return WORD_OF.get(plain(word)) ?? null;
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}|[\s_.'’-]/gu, '');
}
