import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';

/**
 * A minimal peer: discards request bodies or sends prepared ones. It runs in a separate process, so that its work does not count
 * as the client's. Prints its address; ends when its input ends.
 *
 *   /sink           answers any request, whatever its size, with a new ID; a question for a status with "Completed"
 *   /document/N     answers with a document of N MiB in base64, in one line; of 1 MiB where the document "small" is asked for
 *   /list/N         answers with an e-sign list of N entries, or of as many as are asked for
 */
const namespaceUri = 'https://bench.example/ns/';

function replyAround(operation: string): readonly [string, string] {
  const open = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${operation}Response xmlns="${namespaceUri}"><${operation}Result>`;
  return [open, `</${operation}Result></${operation}Response></soap:Body></soap:Envelope>`];
}

const blockBytes = 768 * 1024;
const block = Buffer.from(
  Buffer.from(Uint8Array.from({ length: blockBytes }, (_, at) => (at * 7919) >> 5)).toString('base64'),
);

const entry = (index: number) =>
  `<ESignList><DocumentName>Contract ${index}.pdf</DocumentName><CreatedDate>2026-11-21T03:20:22.1234567+00:00</CreatedDate><ServiceDocumentID>3f2504e0-4f89-41d3-9a0c-0305e82c3301</ServiceDocumentID><OrigServiceDocumentID>3f2504e0-4f89-41d3-9a0c-0305e82c3302</OrigServiceDocumentID><Email>person${index}@mail.example</Email><SecretWord>s</SecretWord><Name>Person &amp; ${index}</Name></ESignList>`;

function head(socket: Socket, length: number): void {
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  );
}

function sendDocument(socket: Socket, mebibytes: number): void {
  const [open, close] = replyAround('GetDocument');
  const total = Math.ceil((mebibytes * 1024 * 1024) / 3) * 4;
  head(socket, open.length + total + close.length);
  socket.write(open);
  let left = total;
  const more = () => {
    while (left > 0) {
      const bytes = left >= block.length ? block : block.subarray(0, left);
      left -= bytes.length;
      if (!socket.write(bytes) && left > 0) return void socket.once('drain', more);
    }
    socket.end(close);
  };
  more();
}

const lists = new Map<number, Buffer>();
function sendList(socket: Socket, count: number): void {
  const [open, close] = replyAround('GetESignList');
  const body =
    lists.get(count) ?? Buffer.from(open + Array.from({ length: count }, (_, index) => entry(index)).join('') + close);
  lists.set(count, body);
  head(socket, body.length);
  socket.end(body);
}

function answer(socket: Socket, path: string, request: string): void {
  const [, kind, size] = path.split('/');
  const maxItems = Number(/<MaxItems>(\d+)</.exec(request)?.[1] ?? 0);
  if (kind === 'document') sendDocument(socket, request.includes('>small<') ? 1 : Number(size));
  else if (kind === 'list') sendList(socket, maxItems || Number(size));
  else if (request.includes('<GetDocumentStatus')) sendText(socket, 'GetDocumentStatus', 'Completed');
  else sendText(socket, 'AddNewDocument', randomUUID());
}

function sendText(socket: Socket, operation: string, text: string): void {
  const reply = replyAround(operation).join(text);
  head(socket, reply.length);
  socket.end(reply);
}

const server = createServer({ noDelay: true }, (socket) => {
  let start = '';
  let path = '';
  let left = -1;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    let bytes = chunk.length;
    if (left < 0) {
      start += chunk.toString('latin1');
      const end = start.indexOf('\r\n\r\n');
      if (end < 0) return;
      path = start.split(' ', 2)[1] ?? '';
      left = Number(/^content-length: *(\d+)/im.exec(start)?.[1] ?? 0);
      bytes = start.length - end - 4;
      if (/^expect: *100-continue/im.test(start.slice(0, end))) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    }
    left -= bytes;
    if (left === 0) answer(socket, path, start + chunk.toString('latin1'));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
process.stdin.once('end', () => process.exit()).resume();
