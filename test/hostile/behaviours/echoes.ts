import { after, answer, entry, fault, reply, result } from '../answers.ts';
import type { Row } from '../behaviour.ts';

/** Credentials with characters that every encoding writes in another way. */
export const secrets = { apiKey: 'Kx7/Pq+9"Zw&3vT-hostile', apiSig: 'Sg<55e1>0aBcD/eF+%7Gh' } as const;

const xml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const perCharacter = (write: (code: number) => string) => (text: string) =>
  [...text].map((character) => write(character.charCodeAt(0))).join('');
const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, '0');

/** A secret as a service may write it; what is shown must not contain it in any of these forms. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64, one byte on': (text) => Buffer.from(`x${text}`).toString('base64'),
  'in base64, two bytes on': (text) => Buffer.from(`xy${text}z`).toString('base64'),
  'in base64 of addresses': (text) => Buffer.from(text).toString('base64url'),
  'in base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in HEX': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in hex with spaces': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?!$)/g, '$& '),
  'in hex of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'as in an address': (text) => encodeURIComponent(text),
  'as in an address, every character': perCharacter((code) => `%${hex(code)}`),
  'as in an address, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as in markup': (text) => xml(text).replace(/"/g, '&quot;'),
  'as in markup, twice': (text) => xml(xml(text).replace(/"/g, '&quot;')),
  'in decimal references': perCharacter((code) => `&#${code};`),
  'in hexadecimal references': perCharacter((code) => `&#x${hex(code, 4)};`),
  'as in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in octal escapes': perCharacter((code) => `\\${code.toString(8)}`),
  'as decimal bytes': (text) => [...Buffer.from(text)].join(' '),
  'in full-width letters': perCharacter((code) => String.fromCharCode(code + 0xfee0)),
  'in quoted-printable': perCharacter((code) => `=${hex(code).toUpperCase()}`),
  'in base64 of base64': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'in escapes of JSON': perCharacter((code) => `\\u${hex(code, 4)}`),
};

const both = (write: (secret: string) => string) => `${write(secrets.apiKey)} ${write(secrets.apiSig)}`;
const faulty = { GetVersion: 'service-refused/soap-fault' };

/** Where the echo stands takes turns: a fault, its code, a good text, an ID, a name in a list, a field. */
const places: readonly ((name: string, text: string) => Row)[] = [
  (name, text) => [
    `a fault that repeats the credentials ${name}`,
    'body',
    after((asked) => answer(asked, fault(asked.soap, xml(text)), '', '500 Error')),
    { AddNewDocument: 'outcome-unknown/soap-fault', GetDocumentStatus: 'service-refused/soap-fault' },
  ],
  (name, text) => [
    `a text that repeats the credentials ${name}`,
    'body',
    result(xml(text)),
    { GetDocumentStatus: 'ok', AddQuickNote: 'ok' },
  ],
  (name, text) => [
    `an ID that repeats the credentials ${name}`,
    'body',
    result(xml(text)),
    { AddNewDocument: 'outcome-unknown/unclear-answer' },
  ],
  (name, text) => [
    `a name in a list that repeats the credentials ${name}`,
    'body',
    result(entry.replace('Ana', xml(text)).replace('Lease', xml(text))),
    { GetESignList: 'ok' },
  ],
  (name, text) => [
    `a field that repeats the credentials ${name}`,
    'body',
    result(`<Description>${xml(text)}</Description><Errors>0</Errors>`),
    { GetDocumentDetails: 'ok' },
  ],
];

const inLine = both((secret) => encodeURIComponent(secret));
const split = both((secret) => [...secret].map((character) => `<![CDATA[${character}]]>`).join(''));

export const echoes: readonly Row[] = [
  ...Object.entries(encodings).map(([name, write], at) => {
    const place = places[at % places.length] as (typeof places)[number];
    return place(name, both(write));
  }),
  [
    'a code of a fault that repeats the credentials',
    'body',
    after((asked) => answer(asked, fault(asked.soap, 'no', xml(both((one) => one))))),
    faulty,
  ],
  [
    'credentials in pieces of CDATA',
    'body',
    after((asked) => answer(asked, fault(asked.soap, split))),
    { AddNewDocument: 'outcome-unknown/soap-fault' },
  ],
  ['credentials in pieces of CDATA in a list', 'body', result(entry.replace('Ana', split)), { GetESignList: 'ok' }],
  [
    'credentials as references of XML',
    'body',
    after((asked) => answer(asked, fault(asked.soap, both(perCharacter((code) => `&#${code};`))))),
    faulty,
  ],
  [
    'credentials in UTF-16',
    'body',
    after((asked) => answer(asked, Buffer.from(`\ufeff${reply(asked, xml(both((one) => one)))}`, 'utf16le'))),
    { GetSchedule: 'ok' },
  ],
  [
    'credentials in the reason of the status',
    'head',
    after((asked) => answer(asked, '', 'Content-Type: text/html\r\n', `500 ${inLine}`)),
    { AddNewDocument: 'outcome-unknown/http-status', GetVersion: 'reply-unreadable/http-status' },
  ],
  [
    'credentials in the Content-Type',
    'head',
    after((asked) =>
      answer(
        asked,
        '',
        `Content-Type: text/${secrets.apiKey.replaceAll('"', '')}-${Buffer.from(secrets.apiSig).toString('hex')}\r\n`,
      ),
    ),
    {
      AddNewDocument: 'outcome-unknown/empty-reply|outcome-unknown/not-xml',
      GetVersion: 'reply-unreadable/empty-reply|reply-unreadable/not-xml',
    },
  ],
  [
    'credentials in the encoding',
    'head',
    after((asked) =>
      answer(asked, reply(asked), `Content-Encoding: ${Buffer.from(secrets.apiSig).toString('hex')}\r\n`),
    ),
    { AddQuickNote: 'outcome-unknown/not-xml', GetVersion: 'reply-unreadable/not-xml' },
  ],
  [
    'credentials as the charset',
    'head',
    after((asked) =>
      answer(
        asked,
        reply(asked),
        `Content-Type: text/xml; charset=${Buffer.from(secrets.apiSig).toString('hex').slice(0, 40)}\r\n`,
      ),
    ),
    { GetDocument: 'reply-unreadable/not-xml', GetVersion: 'reply-unreadable/not-xml' },
  ],
  [
    'credentials in a redirect',
    'head',
    after((asked) => answer(asked, '', `Location: ${asked.elsewhere}/${inLine}\r\n`, '302 Found')),
    { GetVersion: 'reply-unreadable/redirected', AddNewDocument: 'outcome-unknown/redirected' },
  ],
  [
    'credentials as a text instead of a document',
    'body',
    result(xml(both((one) => one))),
    { GetDocument: 'reply-unreadable/wrong-reply' },
  ],
  [
    'credentials as a text instead of a list',
    'body',
    result(xml(both((one) => one))),
    { GetESignList: 'reply-unreadable/wrong-reply' },
  ],
];
