import { afterEach, describe, expect, it } from 'vitest';
import { createListReader } from '../../../electron/soap/reply/list-reader.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { encodingsOf } from '../../harness/encodings.ts';
import { type RawPeer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, envelope11, enveloped, replyOf, targetFor } from '../../harness/soap-texts.ts';

/** Replies that are allowed as XML and made to cost time, memory or a place in the queue. */
let server: RawServer | undefined;
afterEach(() => server?.close());

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const last = '0\r\n\r\n';

/** A client of a server that answers each request by `answer`; it has short limits unless `timeouts` says otherwise. */
async function clientOf(
  answer: (peer: RawPeer) => void,
  timeouts = { connectMs: 1_000, idleMs: 500, answerMs: 5_000 },
) {
  server = await startRawServer(async (peer) => {
    peer.socket.on('error', () => undefined);
    await peer.nextRequest();
    answer(peer);
  });
  return createSoapClient(targetFor(server.url, { timeouts }), credentials);
}

/** Sends `text` every `ms` until the peer has gone. */
function drip({ socket }: RawPeer, start: string, text: string, ms: number): void {
  socket.write(head + chunkOf(start));
  const timer = setInterval(() => socket.write(chunkOf(text)), ms);
  socket.on('close', () => clearInterval(timer));
}

const tooSlow = { failure: { code: 'service-timeout', detail: 'reply-too-slow' } };
const tooLarge = { failure: { code: 'reply-unreadable', detail: 'reply-too-large' } };

describe('a reply that never ends', () => {
  it('of a list, a byte just before each time-out', async () => {
    const client = await clientOf((peer) => drip(peer, '<a', ' ', 100));
    await expect(client.listESign(1, 10, () => undefined)).rejects.toMatchObject(tooSlow);
    client.close();
  });
  it('of a text, faster than the slowest speed', async () => {
    const client = await clientOf((peer) => drip(peer, '<a', ' '.repeat(4_000), 50), {
      connectMs: 1_000,
      idleMs: 500,
      answerMs: 1_500,
    });
    await expect(client.invoke('GetSchedule', {})).rejects.toMatchObject(tooSlow);
    client.close();
  });
  it('while a list as slow as a bad line is still read', async () => {
    const [start = '', end = ''] = replyOf('GetESignList', '<r:E><r:Name>a</r:Name></r:E>|').split('|');
    let left = 12;
    const client = await clientOf(({ socket }) => {
      socket.write(head + chunkOf(start));
      const timer = setInterval(() => {
        left -= 1;
        socket.write(left > 0 ? chunkOf(' '.repeat(300)) : chunkOf(end) + last);
        if (left === 0) clearInterval(timer);
      }, 150);
    });
    expect(await client.listESign(1, 10, () => undefined)).toBe(1);
    client.close();
  });
});

describe('a reply in single bytes', () => {
  it('reaches the reader in larger parts', async () => {
    const reply = replyOf('GetSchedule', 'a'.repeat(300_000));
    const client = await clientOf(({ socket }) => socket.end(head + [...reply].map(chunkOf).join('') + last));
    let parts = 0;
    const { raw } = await client.invoke('GetSchedule', {}, { onReceived: () => (parts += 1) });
    expect(raw).toHaveLength(300_000);
    expect(parts).toBeLessThan(3_000);
    client.close();
  });
});

describe('a list', () => {
  const started = '<r:E><r:Name>';
  function reader() {
    const made = createListReader(
      { target: targetFor('http://127.0.0.1'), operation: 'GetESignList', status: 200, redact: (text) => text },
      () => undefined,
    );
    made.write(replyOf('GetESignList', '|').split('|')[0] as string);
    return made;
  }
  it('whose field comes in endless pieces is refused', () => {
    const feed = reader();
    feed.write(started);
    const pieces = `${'a'.repeat(1_000)}<!-- -->`.repeat(100);
    expect(() => {
      for (let times = 0; times < 100; times++) feed.write(pieces);
    }).toThrow(/reply-too-large/);
  });
  it('whose entry comes in single characters is not read again for each', () => {
    const feed = reader();
    const since = performance.now();
    feed.write(started);
    for (let at = 0; at < 200_000; at++) feed.write(at % 2 ? 'a' : '>');
    feed.write('</r:Name></r:E>');
    // 20 ms; 30 s if every character is looked at again with each new one.
    expect(performance.now() - since).toBeLessThan(5_000);
  });
  it('of a text of angle brackets does not fill the memory', () => {
    const feed = reader();
    const before = process.memoryUsage().heapUsed;
    feed.write(`<r:E a="">${'>'.repeat(900_000)}`);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000);
  });
});

describe('a list that is longer than was asked', () => {
  const entry = '<r:E><r:Name>a</r:Name></r:E>';
  it.each([
    ['entries', entry],
    ['nil entries', '<r:E i:nil="true"/>'],
    ['empty entries', '<r:E/>'],
  ])('without end, of %s, is read as far as was asked', async (_name, piece) => {
    const [start = ''] = replyOf('GetESignList', '|').split('|');
    const client = await clientOf(({ socket }) => {
      socket.write(head + chunkOf(start));
      const more = () => {
        while (!socket.destroyed && socket.write(chunkOf(piece.repeat(1_000))));
      };
      socket.on('drain', more);
      more();
    });
    const entries: unknown[] = [];
    expect(await client.listESign(1, 25, (slice) => void entries.push(...slice))).toBe(25);
    expect(entries).toHaveLength(25);
    await expect.poll(() => server?.open()).toBe(0);
    client.close();
  });
  it('is read to its end if it is as long as was asked', async () => {
    const reply = replyOf('GetESignList', entry.repeat(5) + '<r:E i:nil="true"/>'.repeat(5));
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(reply) + last));
    expect(await client.listESign(1, 5, () => undefined)).toBe(10);
    client.close();
  });
});

describe('a document', () => {
  it('of comments is refused', async () => {
    const reply = replyOf('GetDocument', `JVBERi0${'<!-- -->'.repeat(500_000)}`);
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(reply) + last));
    const sink = {
      buffer: Buffer.alloc(1_000),
      at: 0,
      sizeBytes: 0,
      reserve: () => undefined,
      settle: () => undefined,
    };
    await expect(client.receive('1', sink as never)).rejects.toMatchObject(tooLarge);
    client.close();
  });
  it.each([
    ['little end first, with a mark', 'text/xml; charset=utf-16', true, false],
    ['big end first, with a mark and without a name', 'text/xml', true, true],
    ['without a mark', 'text/xml; charset=utf-16', false, false],
  ])('in UTF-16, %s, is read', async (_name, type, isMarked, isSwapped) => {
    const document = Buffer.from(`%PDF-1.4 ${'x'.repeat(100_000)}`);
    const text = replyOf('GetDocument', document.toString('base64')).replace('utf-8', 'utf-16');
    const bytes = Buffer.from((isMarked ? '\ufeff' : '') + text, 'utf16le');
    const client = await clientOf(({ socket }) =>
      socket.end(
        Buffer.concat([
          Buffer.from(
            head
              .replace(/Content-Type.*utf-8/, `Content-Type: ${type}`)
              .replace(/Transfer.*\r\n/, 'Connection: close\r\n'),
          ),
          isSwapped ? bytes.swap16() : bytes,
        ]),
      ),
    );
    const sink = {
      buffer: Buffer.alloc(300_000),
      at: 0,
      sizeBytes: 1,
      reserve: () => undefined,
      settle: () => undefined,
    };
    await client.receive('1', sink as never);
    expect(sink.buffer.subarray(0, sink.at).equals(document)).toBe(true);
    client.close();
  });
  it('of character references is refused', async () => {
    const reply = replyOf('GetDocument', '&#81;'.repeat(1_000_000));
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(reply) + last));
    const sink = {
      buffer: Buffer.alloc(1_000_000),
      at: 0,
      sizeBytes: 0,
      reserve: () => undefined,
      settle: () => undefined,
    };
    await expect(client.receive('1', sink as never)).rejects.toMatchObject(tooLarge);
    client.close();
  });
});

describe('a good answer that repeats the credentials', () => {
  const { apiKey, apiSig } = credentials;
  it.each(Object.entries(encodingsOf(apiSig)).filter(([, form]) => !form.includes('\0')))(
    'in a long list, %s, wherever a packet ends',
    async (_how, form) => {
      const xml = form.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
      const entryOf = (name: string) =>
        `<r:E><r:DocumentName>Lease</r:DocumentName><r:Email>ana@mail.example</r:Email><r:Name>${name}</r:Name></r:E>`;
      const split = [...form].map((sign) => `<![CDATA[${sign}]]>`).join('');
      const names = [...Array(400).fill('Ana &amp; Sons'), xml, split, 'last'];
      const reply = replyOf('GetESignList', names.map(entryOf).join('\n'));
      const pieces = reply.match(/.{1,1031}/gs) ?? [];
      const client = await clientOf(({ socket }) => socket.end(head + pieces.map(chunkOf).join('') + last));
      const entries: unknown[] = [];
      await client.listESign(1, 1_000, (slice) => void entries.push(...slice));
      expect(entries).toHaveLength(names.length);
      const told = JSON.stringify(entries.slice(-3));
      expect(told.split('•••')).toHaveLength(3);
      expect(entries[0]).toEqual({ DocumentName: 'Lease', Email: 'ana@mail.example', Name: 'Ana & Sons' });
      client.close();
    },
  );
  it('as a text', async () => {
    const reply = replyOf('GetSchedule', `${apiKey} ${apiSig.toUpperCase()} ${Buffer.from(apiSig).toString('base64')}`);
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(reply) + last));
    const { raw } = await client.invoke('GetSchedule', {});
    expect(raw).toMatch(/^••• ••• •••.?={0,2}$/);
    client.close();
  });
  it('in a record and in a list', async () => {
    const record = replyOf('GetDocumentDetails', `<r:Description>of ${apiKey}</r:Description>`);
    const list = replyOf('GetESignList', `<r:E><r:Name>a</r:Name></r:E><r:E><r:Name>${apiSig}</r:Name></r:E>`);
    const replies = [record, list];
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(replies.shift() ?? '') + last));
    expect(JSON.stringify(await client.invoke('GetDocumentDetails', { ServiceDocumentID: '1' }))).not.toContain(apiKey);
    const entries: unknown[] = [];
    await client.listESign(1, 10, (slice) => void entries.push(...slice));
    expect(entries).toEqual([{ Name: 'a' }, { Name: '•••' }]);
    client.close();
  });
});

describe('an answer that repeats the secret word of its own request', () => {
  const request = async (word: string, reply: string) => {
    const client = await clientOf(({ socket }) => socket.end(head + chunkOf(reply) + last));
    const args = { creditType: 1, ReqOwnerESign: false, OwnerESignFirst: false, SecretWord: word };
    const answer = await client.invoke('AddNewDocumentESign', args).catch((error: unknown) => error);
    client.close();
    return answer;
  };
  it.each(['cucumber-4711', '4711', 'Öl & <Salz>'])('shows no %j of a fault, a text, or elements', async (word) => {
    const inXml = word.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const fault = `<e:Fault xmlns:e="${envelope11}"><faultcode>e:${inXml}</faultcode><faultstring>the word ${inXml} is not allowed</faultstring></e:Fault>`;
    const answers = [
      await request(word, enveloped(fault)),
      await request(word, replyOf('AddNewDocumentESign', `Error: ${inXml} is taken`)),
      await request(word, replyOf('AddNewDocumentESign', `<r:SecretWord>${inXml}</r:SecretWord>`)),
    ];
    expect(answers).toMatchObject([
      { failure: { raw: 'the word ••• is not allowed' } },
      { raw: 'Error: ••• is taken' },
      { raw: 'SecretWord: •••' },
    ]);
    expect(JSON.stringify(answers)).not.toContain(word);
  });
  it('keeps an ID or a code that only happens to have the same characters', async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect(await request('4f89', replyOf('AddNewDocumentESign', id))).toEqual({ raw: id });
    expect(await request('1410', replyOf('AddNewDocumentESign', '-1410'))).toEqual({ raw: '-1410' });
    expect(await request(id, replyOf('AddNewDocumentESign', id))).toEqual({ raw: '•••' });
  });
});
