// Files as other services export them, from their octets to contacts.

import { describe, expect, test } from 'vitest';

import { readCsvLayout } from '../../../core/contact-import/csv-layout.ts';
import { readCsvRows } from '../../../core/contact-import/csv-rows.ts';
import { readCells, type ReadRow } from '../../../core/contact-import/read-row.ts';
import { toUtf8 } from '../../../core/contact-import/to-utf8.ts';

async function* inPieces(octets: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}

async function textOf(octets: Buffer, size = 7): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of toUtf8(inPieces(octets, size))) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function readAll(file: string | Buffer, size = 1000): Promise<ReadRow[]> {
  const text = Buffer.from(await textOf(Buffer.from(file), size));
  const read = readCsvLayout(text, true);
  if (read === 'more' || !read.ok) throw new Error(JSON.stringify(read));
  const { layout } = read;
  const rows: ReadRow[] = [];
  for await (const some of readCsvRows(inPieces(text.subarray(layout.headerBytes), 1000), layout, 0))
    for (const { cells } of some) if (cells) rows.push(readCells(cells, layout.columns));
  return rows;
}

async function contactOf(file: string | Buffer) {
  const [row] = await readAll(file);
  if (!row?.ok) throw new Error(JSON.stringify(row));
  return row.contact;
}

describe('services', () => {
  test('Mailchimp: header, tags, times of those who left', async () => {
    const header = 'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME,TAGS\n';
    expect(
      await contactOf(
        `${header}a@b.co,Ann,Lee,2,"2020-01-02 03:04:05","2021-01-02 03:04:05","""news"",""vip"""\n`,
      ),
    ).toMatchObject({
      email: 'a@b.co',
      firstName: 'Ann',
      lastName: 'Lee',
      tags: ['news', 'vip'],
      status: 'unsubscribed',
      attributes: { MEMBER_RATING: '2', OPTIN_TIME: '2020-01-02 03:04:05' },
    });
    expect(await contactOf(`${header}a@b.co,Ann,Lee,2,,,\n`)).toMatchObject({ status: null, tags: null });
    const cleaned = 'Email Address,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE\na@b.co,2021-01-02 03:04:05,May\n';
    expect(await contactOf(cleaned)).toMatchObject({ status: 'unsubscribed', suppress: 'bounce' });
  });

  test.each([
    ['German', 'E-Mail-Adresse,Vorname,Nachname,Tags'],
    ['French', 'Adresse e-mail,Prénom,Nom,Étiquettes'],
    ['French, other words', 'Adresse email,Prénom,Nom de famille,Tags'],
    ['Spanish', 'Dirección de correo electrónico,Nombre,Apellidos,Etiquetas'],
    ['Spanish, other words', 'Correo electrónico,Nombre,Apellido,Etiquetas'],
    ['Brevo', 'EMAIL,FIRSTNAME,LASTNAME,TAGS'],
    ['Brevo in German', 'EMAIL,VORNAME,NACHNAME,TAGS'],
    ['Brevo in French', 'EMAIL,PRENOM,NOM,TAGS'],
    ['SendGrid', 'email,first_name,last_name,tags'],
    ['Postmark', 'EmailAddress,FirstName,LastName,Tag'],
    ['Italian', 'Indirizzo email,Nome,Cognome,Tag'],
  ])('columns: %s', async (_, header) => {
    expect(await contactOf(`${header}\na@b.co,Ann,Lee,vip\n`)).toMatchObject({
      email: 'a@b.co',
      firstName: 'Ann',
      lastName: 'Lee',
      tags: ['vip'],
      attributes: {},
    });
  });

  test('listmonk: one name, attributes as JSON, its statuses', async () => {
    const file = 'uuid,email,name,attributes,status,created_at\n';
    const row = '5b7e,a@b.co,Ann van Lee,"{""city"":""Bern"",""visits"":3}",blocklisted,2024-01-01\n';
    expect(await contactOf(file + row)).toMatchObject({
      firstName: 'Ann',
      lastName: 'van Lee',
      attributes: { uuid: '5b7e', city: 'Bern', visits: 3, created_at: '2024-01-01' },
      status: 'unsubscribed',
      suppress: 'manual',
    });
  });

  test('Mailgun: a list with variables and a yes or no', async () => {
    const file = 'address,name,subscribed,vars\na@b.co,Ann,False,"{""age"": 7}"\nb@b.co,,yes,{}\n';
    expect(await readAll(file)).toMatchObject([
      { contact: { firstName: 'Ann', lastName: null, status: 'unsubscribed', attributes: { age: 7 } } },
      { contact: { email: 'b@b.co', status: 'subscribed', attributes: {} } },
    ]);
  });

  test.each([
    ['cleaned', 'unsubscribed', 'bounce'],
    ['Bounced', 'unsubscribed', 'bounce'],
    ['Hard bounced', 'unsubscribed', 'bounce'],
    ['unsubscribed', 'unsubscribed', null],
    ['Opted-out', 'unsubscribed', null],
    ['SpamComplaint', 'unsubscribed', 'complaint'],
    ['Flagged as spam', 'unsubscribed', 'complaint'],
    ['blacklisted', 'unsubscribed', 'manual'],
    ['pending', 'unsubscribed', null],
    ['Subscribed', 'subscribed', null],
    ['enabled', 'subscribed', null],
    ['ACTIVE', 'subscribed', null],
    ['Abgemeldet', 'unsubscribed', null],
    ['Désabonné', 'unsubscribed', null],
  ])('status %s', async (word, status, suppress) => {
    expect(await contactOf(`email,status\na@b.co,${word}\n`)).toMatchObject({ status, suppress });
  });

  test.each([
    ['"""news"",""vip"""', ['news', 'vip']],
    ['"news, vip"', ['news', 'vip']],
    ["\"['news', 'vip']\"", ['news', 'vip']],
    ['"[""news"",""vip""]"', ['news', 'vip']],
    ['news|vip', ['news', 'vip']],
    ['"""a, b"",""c"""', ['a, b', 'c']],
  ])('tags %s', async (cell, tags) => {
    expect(await contactOf(`email,tags\na@b.co,${cell}\n`)).toMatchObject({ tags });
  });
});

describe('addresses', () => {
  test.each([
    ['"""John Smith"" <john@b.co>"', 'john@b.co', 'John', 'Smith'],
    ['John Smith <john@b.co>', 'john@b.co', 'John', 'Smith'],
    ['mailto:john@b.co', 'john@b.co', null, null],
    ['MAILTO:john@b.co?subject=Hello', 'john@b.co', null, null],
    ['<john@b.co>', 'john@b.co', null, null],
    ['<mailto:john@b.co>', 'john@b.co', null, null],
    ['john@b.co <mailto:john@b.co>', 'john@b.co', null, null],
  ])('%s', async (cell, email, firstName, lastName) => {
    expect(await contactOf(`email\n${cell}\n`)).toMatchObject({ email, firstName, lastName });
  });

  test('the columns of the name beat the name beside the address', async () => {
    const file = 'email,first name\nJohn Smith <john@b.co>,Johnny\n';
    expect(await contactOf(file)).toMatchObject({ firstName: 'Johnny', lastName: null });
  });
});

describe('forms of a file', () => {
  const TEXT = 'email;city;note\r\na@b.co;Zürich – Ouest;déjà\r\n';
  const OCTETS_1252 = Buffer.from(TEXT.replace('–', '\x96'), 'latin1');

  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
    ['windows-1252', OCTETS_1252],
    ['sep=', Buffer.from(`sep=;\r\n${TEXT}`)],
    ['sep= in quotes, windows-1252', Buffer.concat([Buffer.from('"sep=;"\r\n'), OCTETS_1252])],
    ['sep= in UTF-16', Buffer.from(`\ufeffsep=;\r\n${TEXT}`, 'utf16le')],
  ])('%s', async (_, octets) => {
    for (const size of [1, 2, 3, 10, 1000]) {
      const [row] = await readAll(octets, size);
      expect(row).toMatchObject({
        contact: { email: 'a@b.co', attributes: { city: 'Zürich – Ouest', note: 'déjà' } },
      });
    }
  });

  test('one damaged character does not change the encoding of the rest', async () => {
    const octets = Buffer.concat([
      Buffer.from('email,city\na@b.co,Zürich\nb@b.co,Gen'),
      Buffer.from([0xe8]),
      Buffer.from('ve\nc@b.co,Örebro\n'),
    ]);
    expect(
      (await readAll(octets)).map((row) => (row.ok ? row.contact.attributes['city'] : row.message)),
    ).toEqual(['Zürich', 'city is not valid UTF-8', 'Örebro']);
  });

  test('trailing commas, and rows that are longer than the header', async () => {
    expect(await readAll('email,city,,\na@b.co,Bern,,\nb@b.co,Basel,,,,\n')).toMatchObject([
      { contact: { attributes: { city: 'Bern' } } },
      { contact: { attributes: { city: 'Basel' } } },
    ]);
    expect(await readAll('email,city\na@b.co,Bern,,\nb@b.co,Basel,x\nc@b.co\n')).toMatchObject([
      { contact: { attributes: { city: 'Bern' } } },
      { message: 'has 3 cells where the header has 2' },
      { message: 'has 1 cells where the header has 2' },
    ]);
    expect(await readAll('email,,city\na@b.co,lost,Bern\nb@b.co,,Bern\n')).toMatchObject([
      { message: 'has a value in column 2, which has no name' },
      { contact: { attributes: { city: 'Bern' } } },
    ]);
  });

  test('JSON that is none fails its row', async () => {
    expect(
      await readAll('email,attributes\na@b.co,{nope\nb@b.co,[1]\nc@b.co,"{""__proto__"":{}}"\n'),
    ).toMatchObject([
      { message: 'attributes must be a JSON object' },
      { message: 'attributes must be an object' },
      { ok: false },
    ]);
  });
});
