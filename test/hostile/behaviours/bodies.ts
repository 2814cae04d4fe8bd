import { namespaceUri } from '../../harness/soap-texts.ts';
import {
  after,
  answer,
  body,
  chunk,
  chunked,
  envelopeAround,
  fault,
  headOf,
  pour,
  reply,
  responseElement,
  result,
} from '../answers.ts';
import type { Asked, Question, Row, Serve } from '../behaviour.ts';

function unread(detail: string, read: Question = 'GetVersion', add: Question = 'AddNewDocument') {
  return { [read]: `reply-unreadable/${detail}`, [add]: `outcome-unknown/${detail}` };
}
/** Parsing it takes longer than a slow machine may need for a whole answer. */
const slowOrLarge = {
  GetDocumentStatus: 'reply-unreadable/reply-too-large|service-timeout/reply-too-slow',
  AddNewDocument: 'outcome-unknown/reply-too-large|outcome-unknown/reply-too-slow',
};
const fine = { GetVersion: 'ok', AddNewDocument: 'ok' };
/** A character that XML forbids is replaced; an ID with it is none. */
const replaced = { GetVersion: 'ok', AddNewDocument: 'outcome-unknown/unclear-answer' };
const whole = (make: (asked: Asked) => string | Buffer): Serve => after((asked) => answer(asked, make(asked)));
/** The reply with a document type declaration before it. */
const withDtd = (dtd: string): Serve =>
  whole((asked) => reply(asked, '&x;').replace('?>', `?><!DOCTYPE s:Envelope ${dtd}>`));
const lol = `[<!ENTITY a "${'lol'.repeat(10)}">${[...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at]};`.repeat(10)}">`).join('')}<!ENTITY x "&j;">]`;
const encoded = (encoding: 'utf16le' | 'utf16be', mark: boolean, more = ''): Serve =>
  after((asked) => {
    const bytes = Buffer.from((mark ? '\ufeff' : '') + reply(asked).replace('utf-8', 'utf-16'), 'utf16le');
    return answer(asked, encoding === 'utf16le' ? bytes : bytes.swap16(), more);
  });
const bytes = (...given: number[]): Serve =>
  after((asked) => {
    const [start = '', end = ''] = reply(asked, '|').split('|');
    return answer(asked, Buffer.concat([Buffer.from(start), Buffer.from(given), Buffer.from(end)]));
  });
const endless =
  (start: (asked: Asked) => string, piece: string): Serve =>
  async (peer, asked) => {
    await peer.nextRequest();
    peer.socket.write(headOf(asked, chunked) + chunk(start(asked)));
    await pour(peer.socket, chunk(piece.repeat(Math.ceil(16_000 / piece.length))));
  };
const opened = (asked: Asked) => reply(asked, '|').split('|')[0] ?? '';

const xml: readonly Row[] = [
  ['a billion laughs', 'body', withDtd(lol), unread('not-xml')],
  [
    'an entity of a file',
    'body',
    withDtd('[<!ENTITY x SYSTEM "file:///etc/passwd">]'),
    unread('not-xml', 'GetDocumentStatus', 'AddQuickNote'),
  ],
  [
    'an entity of another host',
    'body',
    whole((asked) => reply(asked, '&x;').replace('?>', `?><!DOCTYPE a [<!ENTITY x SYSTEM "${asked.elsewhere}">]>`)),
    unread('not-xml'),
  ],
  [
    'a DTD of another host',
    'body',
    whole((asked) => reply(asked).replace('?>', `?><!DOCTYPE a SYSTEM "${asked.elsewhere}">`)),
    unread('not-xml', 'GetESignList', 'AddNewDocumentESign'),
  ],
  [
    'parameter entities',
    'body',
    withDtd('[<!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p;]'),
    unread('not-xml', 'GetDocument'),
  ],
  ['an entity of nobody', 'body', result('&x;'), unread('not-xml')],
  [
    'a style sheet of another host',
    'body',
    whole((asked) => reply(asked).replace('?>', `?><?xml-stylesheet href="${asked.elsewhere}"?>`)),
    fine,
  ],
  [
    '24 MB of references',
    'body',
    result('&#81;'.repeat(4_800_000)),
    unread('reply-too-large', 'GetVersion', 'AddQuickNote'),
  ],
  ['24 MB of >', 'body', result('>'.repeat(24_000_000)), unread('reply-too-large')],
  ['3 MB of ]', 'body', result(']'.repeat(3_000_000)), unread('reply-too-large')],
  [']]> in a text', 'body', result('a]]>b'), unread('not-xml')],
  ['20 MB of text', 'body', result('a'.repeat(20_000_000)), unread('reply-too-large', 'GetSchedule')],
  ['20 MB in small pieces', 'body', result('<![CDATA[a]]><!-- -->'.repeat(1_000_000)), slowOrLarge],
  ['unclosed elements', 'body', whole((asked) => reply(asked).replace(/<\/s:.*$/, '')), unread('truncated-reply')],
  ['a million elements deep', 'body', result('<a>'.repeat(1_000_000)), unread('reply-too-large')],
  [
    'a million attributes',
    'body',
    result(`<a ${Array.from({ length: 300_000 }, (_each, at) => `a${at}=""`).join(' ')}/>`),
    unread('reply-too-large'),
  ],
  ['an attribute of 20 MB', 'body', result(`<a b="${'a'.repeat(20_000_000)}"/>`), unread('reply-too-large')],
  [
    '100,000 namespaces',
    'body',
    result(Array.from({ length: 100_000 }, (_each, at) => `<a xmlns="urn:${at}"/>`).join('')),
    { GetVersion: 'ok', AddNewDocument: 'outcome-unknown/empty-reply' },
  ],
  ['a name of 20 MB', 'body', result(`<${'a'.repeat(20_000_000)}/>`), unread('reply-too-large')],
  ['the same attribute twice', 'body', result('<a b="1" b="2"/>'), unread('not-xml')],
  [
    'names of the prototype',
    'body',
    result('<__proto__>x</__proto__><constructor id="__proto__">y</constructor>'),
    { GetDocumentDetails: 'ok#4', GetVersion: 'ok' },
  ],
  ['a comment without end', 'body', endless((asked) => `${opened(asked)}<!--`, 'a'), unread('reply-too-large')],
  ['CDATA without end', 'body', endless((asked) => `${opened(asked)}<![CDATA[`, ']'), unread('reply-too-large')],
  ['an instruction without end', 'body', endless((asked) => `${opened(asked)}<?a `, 'b'), unread('reply-too-large')],
  ['a text without end', 'body', endless(opened, 'text'), unread('reply-too-large')],
  ['elements without end', 'body', endless(opened, '<a/>'), unread('reply-too-large')],
  [
    'faults without end',
    'body',
    endless((asked) => fault(asked.soap, '').split('</faultstring>')[0]?.split('</s:Text>')[0] ?? '', 'no '),
    unread('reply-too-large'),
  ],
];

const encodings: readonly Row[] = [
  [
    'UTF-16 with a mark, little end first',
    'body',
    encoded('utf16le', true, 'Content-Type: text/xml; charset=utf-16\r\n'),
    { ...fine, GetDocument: 'ok', GetESignList: 'ok' },
    { soap: '1.1' },
  ],
  [
    'UTF-16 with a mark, big end first',
    'body',
    encoded('utf16be', true, 'Content-Type: text/xml\r\n'),
    { ...fine, GetDocument: 'ok', GetDocumentDetails: 'ok' },
    { soap: '1.1' },
  ],
  ['UTF-16 with a mark, called UTF-8', 'body', encoded('utf16le', true), fine],
  ['UTF-16 without a mark', 'body', encoded('utf16be', false), fine],
  ['UTF-8 with a mark', 'body', whole((asked) => `\ufeff${reply(asked)}`), fine],
  ['UTF-32', 'body', whole(() => Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])), unread('not-xml')],
  ['bytes that are no UTF-8', 'body', bytes(0x61, 0xff, 0xfe, 0x62), unread('not-xml')],
  ['overlong UTF-8', 'body', bytes(0xc0, 0xbc), unread('not-xml', 'GetDocumentStatus')],
  ['half of a surrogate', 'body', bytes(0xed, 0xa0, 0x80), unread('not-xml', 'GetSchedule', 'AddQuickNote')],
  ['NUL', 'body', bytes(0x61, 0, 0x62), replaced, { result: /^a\ufffdb$/ }],
  ['a reference to NUL', 'body', result('a&#0;b'), replaced, { result: /^a\ufffdb$/ }],
  ['a reference to a control character', 'body', result('a&#27;[31m'), replaced, { result: /^a\ufffd\[31m$/ }],
];

const shapes: readonly Row[] = [
  [
    'another namespace of the envelope',
    'body',
    whole((asked) => reply(asked).replace(/xmlns:s="[^"]*"/, 'xmlns:s="urn:x"')),
    unread('wrong-reply'),
  ],
  [
    'another namespace of the service',
    'body',
    whole((asked) => reply(asked).replace(namespaceUri, 'urn:x')),
    unread('wrong-reply'),
  ],
  ['an empty body', 'body', whole(() => ''), unread('empty-reply')],
  ['only spaces', 'body', whole(() => ' \n '.repeat(1000)), unread('empty-reply')],
  ['an envelope without content', 'body', body(() => ''), unread('wrong-reply')],
  [
    'two bodies',
    'body',
    whole((asked) =>
      reply(asked).replace('</s:Envelope>', `<s:Body>${responseElement(asked.operation, '')}</s:Body></s:Envelope>`),
    ),
    unread('wrong-reply'),
  ],
  ['two envelopes', 'body', whole((asked) => reply(asked) + reply(asked).replace(/^<\?.*?\?>/, '')), unread('not-xml')],
  [
    'a success and a fault',
    'body',
    body(
      (asked) =>
        `${responseElement(asked.operation, `<${asked.operation}Result>1</${asked.operation}Result>`)}<s:Fault/>`,
    ),
    unread('wrong-reply'),
  ],
  [
    'a fault and a success',
    'body',
    body((asked) => `<s:Fault/>${responseElement(asked.operation, '')}`),
    unread('wrong-reply'),
  ],
  [
    'a fault in the header',
    'body',
    whole((asked) => reply(asked).replace('<s:Body>', '<s:Header><s:Fault/></s:Header><s:Body>')),
    fine,
  ],
  [
    'two results',
    'body',
    body((asked) =>
      responseElement(
        asked.operation,
        `<${asked.operation}Result>2.0</${asked.operation}Result><${asked.operation}Result>forged</${asked.operation}Result>`,
      ),
    ),
    { GetVersion: 'reply-unreadable/wrong-reply' },
  ],
  [
    'no result',
    'body',
    body((asked) => responseElement(asked.operation, '')),
    { GetVersion: 'ok', AddNewDocument: 'outcome-unknown/empty-reply', AddQuickNote: 'outcome-unknown/empty-reply' },
  ],
  [
    'nil',
    'body',
    body((asked) => responseElement(asked.operation, `<${asked.operation}Result i:nil="true"/>`)),
    { GetVersion: 'ok', AddNewEasySignTemplate: 'outcome-unknown/empty-reply' },
  ],
  [
    'an empty ID',
    'body',
    result(''),
    { AddNewDocument: 'outcome-unknown/empty-reply', AddNewDocumentESign: 'outcome-unknown/empty-reply' },
  ],
  ['an ID of spaces', 'body', result('   '), { AddNewDocument: 'outcome-unknown/empty-reply' }],
  [
    'an answer to another question',
    'body',
    body(() => responseElement('GetAuthToken', '<GetAuthTokenResult>1</GetAuthTokenResult>')),
    unread('wrong-reply'),
  ],
  [
    'the request, sent back',
    'body',
    body((asked) => `<${asked.operation} xmlns="${namespaceUri}"/>`),
    unread('wrong-reply'),
  ],
  [
    'a fault',
    'body',
    whole((asked) => fault(asked.soap, 'no')),
    { GetVersion: 'service-refused/soap-fault', AddNewDocument: 'outcome-unknown/soap-fault' },
  ],
  [
    'a fault of the other version',
    'body',
    whole((asked) => fault(asked.soap === '1.1' ? '1.2' : '1.1', 'no')),
    { GetVersion: 'service-refused/soap-fault', AddNewDocument: 'outcome-unknown/soap-fault' },
  ],
  [
    'a fault without words',
    'body',
    body(() => '<s:Fault/>'),
    { GetVersion: 'service-refused/soap-fault', AddQuickNote: 'outcome-unknown/soap-fault' },
  ],
  [
    'a fault of 600 kB',
    'body',
    whole((asked) => fault(asked.soap, 'no '.repeat(200_000))),
    { GetVersion: 'service-refused/soap-fault' },
  ],
  ['a web page as XML', 'body', whole(() => '<!DOCTYPE html><html><body>Sign in</body></html>'), unread('html-page')],
  [
    'XHTML as XML',
    'body',
    whole(() => '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'),
    unread('html-page'),
  ],
  ['a PDF as XML', 'body', whole(() => '%PDF-1.4\n'), unread('not-xml')],
  [
    'MTOM',
    'head',
    after((asked) =>
      answer(
        asked,
        `--b\r\n\r\n${reply(asked)}\r\n--b--`,
        'Content-Type: multipart/related; boundary=b; type="application/xop+xml"\r\n',
      ),
    ),
    unread('not-xml', 'GetDocument'),
  ],
  [
    'XOP to a file',
    'body',
    result('<x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" href="file:///etc/passwd"/>'),
    { GetDocument: 'reply-unreadable/wrong-reply', AddNewDocument: 'outcome-unknown/empty-reply' },
  ],
];

const values: readonly Row[] = [
  [
    '-121',
    'body',
    result('-121'),
    { GetAuthToken: 'credentials-rejected/negative-code#1', AddNewDocument: 'credentials-rejected/negative-code#1' },
  ],
  [
    'a code of ten digits',
    'body',
    result('-9999999999'),
    { AddNewDocument: 'service-refused/negative-code', ValidateDocument: 'ok#1' },
  ],
  ['a number of 40 digits', 'body', result(`-${'9'.repeat(40)}`), { GetDocumentStatus: 'ok', AddQuickNote: 'ok' }],
  [
    'an ID with a line end and control characters',
    'body',
    result('6f96\n\u202e19ff\u0085x'),
    { AddNewDocument: 'outcome-unknown/unclear-answer', GetDocumentStatus: 'ok' },
  ],
  [
    'an ID of 1 MB',
    'body',
    result('6'.repeat(1_000_000)),
    { AddNewDocument: 'outcome-unknown/unclear-answer', AddNewEasySignDocument: 'outcome-unknown/unclear-answer' },
  ],
  [
    'an error as a text',
    'body',
    result('Error: not enough credits'),
    {
      AddNewDocument: 'outcome-unknown/unclear-answer',
      AddNewEasySignDocument: 'outcome-unknown/unclear-answer',
      AddQuickNote: 'ok',
    },
  ],
  [
    'an address that is a script',
    'body',
    result('javascript:alert(1)'),
    { AddNewEasySignTemplate: 'outcome-unknown/unclear-answer' },
  ],
  [
    'a number of errors that is none',
    'body',
    result('<Errors>NaN</Errors><Pages>1e999</Pages>'),
    { GetDocumentDetails: 'ok#4' },
  ],
  ['a huge number of errors', 'body', result(`<Errors>${'9'.repeat(400)}</Errors>`), { GetDocumentDetails: 'ok#4' }],
  ['a million fields', 'body', result('<Description>x</Description>'.repeat(500_000)), { GetDocumentDetails: 'ok#4' }],
  [
    'a record where a text was expected',
    'body',
    result('<a>1</a><b>2</b>'),
    { GetDocumentStatus: 'ok', GetVersion: 'ok' },
  ],
  ['a text where a record was expected', 'body', result('Completed'), { GetDocumentDetails: 'ok#4' }],
  [
    'a list where a text was expected',
    'body',
    whole((asked) =>
      envelopeAround(
        responseElement(
          asked.operation,
          `<${asked.operation}Result>${'<ESignList><Name>a</Name></ESignList>'.repeat(100_000)}</${asked.operation}Result>`,
        ),
        asked.soap,
      ),
    ),
    { GetVersion: 'ok' },
  ],
];

export const bodies: readonly Row[] = [...xml, ...encodings, ...shapes, ...values];
