import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * A service with one long e-sign list, in a process of its own so that its work is not the client's. Prints its address; ends
 * when its input ends.
 *
 *   /main        GetESignList of ListType 1: as many entries as the first argument says; of another type: none. A number for everything else.
 *   /version/N   from now on the list is of this version: 0 as it was, 1 with a third of a percent changed, gone and new each
 */
const count = Number(process.argv[2] ?? 100_000);
const namespaceUri = 'https://bench.example/ns/';
/** Of this many entries one is changed, the next is removed, and a new one is added. */
const oneOf = 300;
const first = ['Ayla', 'Björn', 'Chidi', 'Dana', 'Émile', 'Fatma', 'Georg', 'Hana', 'Ivo', 'Jūratė', 'Kofi', 'Lena'];
const last = [
  'Öztürk',
  'Ångström',
  'Okafor',
  'Müller',
  'Novák',
  'Silva',
  'Rossi',
  'Tanaka',
  'Weiß',
  'Petrov',
  'Ndiaye',
];
const subjects = ['Lease', 'Annex', 'Insurance', 'Order', 'Invoice', 'Contract', 'Minutes', 'Certificate'];
const places = ['Harbour St', 'Mill Lane', 'Station Rd', 'Church Row', 'Market Sq', 'North Quay'];

/** Random like real IDs, so that an index over them is written everywhere. */
function idOf(kind: string, n: number): string {
  const hex = createHash('md5').update(`${kind}${n}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function entry(n: number, isChanged: boolean): string {
  // Two documents of three have two signers, the third has one: 60 documents to 100 entries.
  const document = Math.floor(n * 0.6);
  const name = `${first[n % first.length]} ${last[n % last.length]}`;
  const created = new Date(Date.parse('2024-01-01T08:00:00Z') + n * 600_000).toISOString().slice(0, -1);
  const secret = n % 4 === 0 ? `<SecretWord>word ${n}</SecretWord>` : '';
  const subject = `${subjects[document % subjects.length]} ${document}, ${places[document % places.length]} ${document % 90}`;
  return `<ESignList><DocumentName>${subject}.pdf</DocumentName><CreatedDate>${created}1234+00:00</CreatedDate><ServiceDocumentID>${idOf('signed', document)}</ServiceDocumentID><OrigServiceDocumentID>${idOf('original', document)}</OrigServiceDocumentID><Email>signer${n}@mail${n % 50}.example</Email>${secret}<Name>${name}${isChanged ? ' &amp; Sons' : ''}</Name></ESignList>`;
}

function listOf(version: number): string {
  const entries: string[] = [];
  for (let n = 0; n < count; n++) {
    if (version === 1 && n % oneOf === 1) continue;
    entries.push(entry(n, version === 1 && n % oneOf === 0));
  }
  if (version === 1) for (let n = 0; n < count / oneOf; n++) entries.push(entry(count + n, false));
  return entries.reverse().join('');
}

function reply(operation: string, result: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${operation}Response xmlns="${namespaceUri}"><${operation}Result>${result}</${operation}Result></${operation}Response></soap:Body></soap:Envelope>`,
  );
}

const lists = [0, 1].map((version) => reply('GetESignList', listOf(version)));
const empty = reply('GetESignList', '');
let version = 0;
const server = createServer((request, response) => {
  const [, kind, number] = (request.url ?? '').split('/');
  if (kind === 'version') version = Number(number);
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    const isList = body.includes('GetESignList');
    const list = /ListType>1</.test(body) ? (lists[version] ?? empty) : empty;
    response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
    response.end(isList ? list : reply('GetDocumentStatus', 'Processing'));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
process.stdin.once('end', () => process.exit()).resume();
