import { after, answer, chunk, chunked, entry, headOf, lastChunk, pour, reply, result } from '../answers.ts';
import type { Asked, Row, Serve } from '../behaviour.ts';

const opened = (asked: Asked) => reply(asked, '|').split('|')[0] ?? '';
const endless =
  (start: string, piece: string, times?: number): Serve =>
  async (peer, asked) => {
    await peer.nextRequest();
    const [before = '', behind = ''] = reply(asked, '|').split('|');
    peer.socket.write(headOf(asked, chunked) + chunk(before + start));
    await pour(peer.socket, chunk(piece.repeat(Math.ceil(32_000 / piece.length))), times);
    peer.socket.end(chunk(behind) + lastChunk);
  };
const tooLarge = { GetESignList: 'reply-unreadable/reply-too-large' };
const fine = { GetESignList: 'ok' };
const unusual = entry.replace('<ESignList>', '<ESignList a="">');

/** GetESignList with MaxItems 10. */
export const lists: readonly Row[] = [
  ['a million entries instead of 10', 'body', endless('', entry, 10_000), fine, { maxItems: 10 }],
  ['entries without end', 'body', endless('', entry), fine, { maxItems: 10 }],
  ['entries with attributes without end', 'body', endless('', unusual), fine, { maxItems: 10 }],
  ['nil entries without end', 'body', endless('', '<ESignList i:nil="true"/>'), fine, { maxItems: 10 }],
  ['empty entries without end', 'body', endless('', '<ESignList/>'), fine, { maxItems: 10 }],
  ['an entry of endless fields', 'body', endless('<ESignList>', '<Email>a</Email>'), tooLarge],
  ['a field without end', 'body', endless('<ESignList><Name>', 'a'), tooLarge],
  ['a field of endless pieces', 'body', endless('<ESignList><Name>', 'a<!-- -->'), tooLarge],
  ['a field of endless references', 'body', endless('<ESignList><Name>', '&#81;'), tooLarge],
  ['a field of >', 'body', endless('<ESignList><Name>', '>'), tooLarge],
  ['a tag without end', 'body', endless('<ESignList ', 'a'), tooLarge],
  ['an element without end in an entry', 'body', endless('<ESignList>', '<x>'), tooLarge],
  ['a text without end instead of entries', 'body', endless('', 'text '), tooLarge],
  ['spaces without end', 'body', endless('', ' '), tooLarge],
  ['comments without end', 'body', endless('', '<!-- -->'), tooLarge],
  ['a text instead of entries', 'body', result('Not Found'), { GetESignList: 'reply-unreadable/wrong-reply' }],
  ['a code instead of entries', 'body', result('-185'), { GetESignList: 'service-refused/negative-code' }],
  ['names that turn the line', 'body', result(entry.replace('Lease', '\u202efdp.exe')), fine],
  [
    'dates and IDs of nonsense',
    'body',
    result(
      '<ESignList><CreatedDate>99999-99-99T99</CreatedDate><ServiceDocumentID>\u2028</ServiceDocumentID></ESignList>',
    ),
    fine,
  ],
  ['names of the prototype', 'body', result('<ESignList><__proto__>x</__proto__><Name>a</Name></ESignList>'), fine],
  [
    'cut in an entry',
    'body',
    after((asked) => answer(asked, opened(asked) + entry.slice(0, 80))),
    { GetESignList: 'reply-unreadable/truncated-reply' },
  ],
  [
    'single bytes as chunks',
    'body',
    after((asked) => headOf(asked, chunked) + [...reply(asked, entry.repeat(100))].map(chunk).join('') + lastChunk),
    fine,
  ],
];
