// What mailboxes and their hosts say in other languages than English: full, and unknown.

import { either, type BounceRule } from './rule.ts';

/** Rows for other languages, read after the English ones. */
export const LANGUAGE_RULES: readonly BounceRule[] = [
  {
    id: 'full-words-elsewhere', // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Turkish, CJK
    class: 'mailbox_full',
    text: either(
      /(?:postfach|mailbox|speicher|konto)\S{0,20} .{0,40}(?:\bvoll\b|überfüllt|erschöpft|überschritten)|zu ?viele mails auf|kontingent/,
      /(?:bo[iî]te|messagerie|mailbox|quota|compte) .{0,40}(?:pleine?\b|satur[eé]e?|d[eé]pass[eé]|exc[eé]d[eé])|espace .{0,20}(?:insuffisant|d[eé]pass[eé])/,
      /(?:buz[oó]n|casilla|casillero|bandeja|correo|mailbox|cuenta|cuota|caixa|conta|quota|cota) .{0,40}(?:llen[oa]|chei[ao]|excedid[ao]|saturad[ao]|superad[ao]|lotad[ao]|esgotad[ao])/,
      /(?:casella|cassetta|mailbox|quota) .{0,40}(?:pien[ao]\b|satur[ao]\b|esaurit[ao]|superat[ao])|spazio .{0,20}(?:esaurito|insufficiente)/,
      /(?:postbus|mailbox|postvak) .{0,30}\bvol\b|skrzynk\S{1,3} .{0,40}(?:pełna|pelna|przepełniona|przepelniona)|przepełnion|brak miejsca/,
      /переполнен|(?:ящик|место|квота) .{0,40}(?:заполнен|исчерпан|превышен)|kutusu .{0,20}dolu|kota(?:sı|si)? .{0,20}(?:dolu|aş)/,
      /(?:メールボックス|受信箱|容量).{0,20}(?:いっぱい|満杯|一杯|超え|超過|オーバー|不足)/,
      /(?:邮箱|信箱|郵箱|空间|空間|容量).{0,12}(?:满|滿|不足|超出|超限)|메일함.{0,20}(?:가득|초과)|용량.{0,12}초과/,
    ),
    examples: [
      '550 Das Postfach des Empfängers ist voll',
      '552 La boîte du destinataire est pleine',
      '552 El buzón del destinatario está lleno',
      '552 A caixa postal do destinatário está cheia',
      '552 La casella di posta del destinatario è piena',
      '552 De postbus van de ontvanger is vol',
      '552 Skrzynka odbiorcy jest pełna',
      '552 Почтовый ящик получателя переполнен',
      '552 受信者のメールボックスがいっぱいです',
      '552 收件人邮箱已满',
    ],
  },
  {
    id: 'unknown-words-elsewhere', // French, Spanish, Portuguese, German, Italian, Dutch, Polish, Russian, Chinese, Japanese
    class: 'invalid_recipient',
    text: either(
      /(?:destinataire|utilisateur|adresse)s? (?:\S{1,40} )?(?:invalide|inconnue?|inexistante?)|n['’]existe pas|non recens/,
      /(?:usuario|destinatario|cuenta|direcci[oó]n|persona) (?:\S{1,40} )?(?:desconocid[oa]|inexistente|no existe|inv[aá]lid[oa])|no existe (?:ese|esa|dicha|el|la) /,
      /(?:usu[aá]rio|destinat[aá]rio|conta|endere[cç]o) (?:\S{1,40} )?(?:desconhecid[oa]|inexistente|n[aã]o existe|inv[aá]lid[oa])/,
      /(?:empf(?:ä|ae)nger|benutzer|adresse|postfach) (?:\S{1,40} )?(?:ist )?(?:unbekannt|existiert nicht|nicht (?:gefunden|bekannt|vorhanden))|unbekannter? (?:empf|benutz|adress)/,
      /(?:utente|destinatario|casella) (?:\S{1,40} )?(?:sconosciut[oa]|inesistente|non esiste)|nessun utente|(?:gebruiker|ontvanger) (?:\S{1,40} )?(?:onbekend|bestaat niet)|onbekende (?:gebruiker|ontvanger)/,
      /(?:odbiorca|użytkownik|adres|konto) (?:\S{1,100} )?nie istnieje|nieznany (?:użytkownik|odbiorca)/,
      /(?:пользователь|адресат|получатель|ящик|адрес) (?:\S{1,100} )?(?:не найден|не существует|не зарегистрирован|неизвестен)|нет такого (?:пользователя|адресата|ящика)/,
      /(?:用户|用戶|收件人|邮箱|郵箱|帐号|账号|地址).{0,12}(?:不存在|无效|未找到)|(?:ユーザ|宛先|アドレス|メールボックス).{0,24}(?:存在しません|見つかりません|不明|存在しない)/,
    ),
    examples: [
      '550 5.1.1 Adresse d au moins un destinataire invalide.',
      '550 Usuario desconocido',
      '550 Empfänger unbekannt',
      '550 Пользователь не найден',
      '550 收件人不存在',
    ],
  },
];
