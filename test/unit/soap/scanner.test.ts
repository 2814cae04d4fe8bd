import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBase64Decoding } from '../../../electron/soap/reply/base64-decoding.ts';
import { DocumentScan } from '../../../electron/soap/reply/document-scanner.ts';
import { readXmlTree } from '../../../electron/soap/wsdl/wsdl-names.ts';
import { atLength } from '../../harness/test-length.ts';

/** mulberry32: the same seed gives the same cases again. */
function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    one: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    chance: (share: number) => next() < share,
  };
}
type Random = ReturnType<typeof randomFrom>;

const path = ['Envelope', 'Body', 'GetDocumentResponse', 'GetDocumentResult'];

function scan(chunks: readonly Buffer[]) {
  const taken: Buffer[] = [];
  const sink = {
    buffer: Buffer.alloc(70_000),
    at: 0,
    reserve(bytes: number) {
      if (sink.at + bytes <= sink.buffer.length) return;
      taken.push(Buffer.from(sink.buffer.subarray(0, sink.at)));
      sink.at = 0;
    },
  };
  const scanning = new DocumentScan(path, sink);
  for (const chunk of chunks) scanning.push(chunk);
  scanning.end();
  taken.push(Buffer.from(sink.buffer.subarray(0, sink.at)));
  return { bytes: Buffer.concat(taken), rest: scanning.rest().toString(), otherText: scanning.otherText };
}

/** Base64 broken up in every way that XML allows. */
function dressed(base64: string, random: Random): string {
  const style = random.below(4);
  if (style === 0) return base64;
  if (style === 1) {
    const width = random.one([4, 19, 64, 76]);
    return base64.replace(
      new RegExp(`.{1,${width}}`, 'g'),
      (line) => line + random.one(['\n', '\r\n', '&#13;\n', '&#xA;', '\t ']),
    );
  }
  let text = '';
  for (let at = 0, to = 0; at < base64.length; at = to) {
    to = at + 1 + random.below(style === 2 ? 9 : 400);
    const piece = base64.slice(at, to);
    const kind = random.below(8);
    if (kind === 0) text += `<![CDATA[${piece}]]>`;
    else if (kind === 1) text += `<!-- < > ]]> & AAAA -->${piece}`;
    else if (kind === 2) text += `<?pi <a> ?>${piece}`;
    else if (kind === 3) text += `&#${piece.charCodeAt(0)};${piece.slice(1)}`;
    else if (kind === 4) text += `&#x${piece.charCodeAt(0).toString(16)};${piece.slice(1)}`;
    else text += piece + random.one(['', '', ' ', '\n']);
  }
  return text;
}

function envelope(inner: string, random: Random): string {
  const p = random.one(['s:', 'soap-env:', 'SOAP-ENV:', 'a.b-c_d:', '']);
  const r = random.one(['', 'r:', 'ns-1:']);
  const attribute = random.one(['', ' a=">"', " b='<x> \"'".replace('<', '&lt;'), '\n c = "/>"']);
  const noise = () => random.one(['', '\n  ', '<!-- <GetDocumentResult>QUJD</GetDocumentResult> -->', '<?p a?>']);
  const declared = (prefix: string) => (prefix ? ` xmlns:${prefix.slice(0, -1)}="urn:${prefix}"` : '');
  const header = random.one(['', `<${p}Header/>`, `<${p}Header><h><![CDATA[<x>]]]></h></${p}Header>`]);
  return `${random.one(['', '\ufeff'])}<?xml version="1.0"?>${noise()}<${p}Envelope${declared(p)}${declared(r)}${attribute}>${noise()}${header}<${p}Body>${noise()}<${r}GetDocumentResponse${attribute}>${noise()}<${r}GetDocumentResult${attribute} >${inner}</${r}GetDocumentResult >${noise()}</${r}GetDocumentResponse></${p}Body></${p}Envelope>${noise()}`;
}

function split(bytes: Buffer, random: Random): Buffer[] {
  const most = random.one([1, 2, 3, 7, 64, 1000, 1_000_000]);
  const chunks: Buffer[] = [];
  for (let at = 0, to = 0; at < bytes.length; at = to) {
    to = at + 1 + random.below(most);
    chunks.push(bytes.subarray(at, to));
  }
  return chunks;
}

const [replies, damages] = atLength({ short: [1_000, 700], all: [6_000, 4_000] });

describe('the scanner', () => {
  it(`finds and decodes ${replies} random replies`, () => {
    const seed = Number(process.env.SCANNER_SEED ?? randomInt(2 ** 31));
    console.info(`scanner fuzz: SCANNER_SEED=${seed}`);
    const random = randomFrom(seed);
    for (let turn = 0; turn < replies; turn++) {
      const size = random.chance(0.01) ? random.below(200_000) : random.below(400);
      const document = Buffer.from(Array.from({ length: size }, () => random.below(256)));
      const text = envelope(dressed(document.toString('base64'), random), random);
      const { bytes, rest, otherText } = scan(split(Buffer.from(text), random));
      // What is left over must still be an envelope, with nothing in place of the document.
      readXmlTree(rest.replace(/^\ufeff/, ''), rest.length + 1);
      const fine = otherText === null && bytes.equals(document);
      if (!fine) expect.fail(`SCANNER_SEED=${seed}, case ${turn}: ${text.slice(0, 600)}`);
    }
  });

  it(`accepts no invalid base64 in ${damages} random damages`, () => {
    const seed = Number(process.env.SCANNER_SEED ?? randomInt(2 ** 31));
    const random = randomFrom(seed);
    for (let turn = 0; turn < damages; turn++) {
      const size = random.chance(0.01) ? 60_000 + random.below(150_000) : 1 + random.below(300);
      const base64 = Buffer.from(Array.from({ length: size }, () => random.below(256))).toString('base64');
      const at = random.below(base64.length);
      const bad = random.one(['-', '_', '*', '!', '.', '\u0000', 'é', '\u00ff', '==A', '=']);
      const text = base64.slice(0, at) + bad + base64.slice(random.chance(0.5) ? at : Math.min(at + 1, base64.length));
      // Padding put where padding may stand is no damage.
      const still = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/.test(text);
      let refused = false;
      try {
        refused = scan(split(Buffer.from(envelope(text, random)), random)).otherText !== null;
      } catch {
        refused = true;
      }
      if (refused === still) expect.fail(`SCANNER_SEED=${seed}, case ${turn}: ${text.slice(0, 200)}`);
    }
  });

  it.each([
    'A',
    'AA',
    'AAA',
    'A===',
    '====',
    'AAAA=',
    'AAA=A',
    'AA=A',
    'AB==',
    'AAB=',
    'AA==AAAA',
    'AA==AA==',
    'AA-A',
    'AA_A',
    'AAAA\u00a0',
    '&amp;AAA',
    '&#65',
    '&#xC1;AAA',
  ])('refuses %j', (text) => {
    const given = Buffer.from(
      `<e:Envelope><Body><GetDocumentResponse><GetDocumentResult>${text}</GetDocumentResult></GetDocumentResponse></Body></e:Envelope>`,
    );
    let refused = false;
    try {
      refused = scan([given]).otherText !== null;
    } catch {
      refused = true;
    }
    expect(refused).toBe(true);
  });

  it.each([
    ['a DTD', `<!DOCTYPE x>`],
    ['endless nesting', '<a>'.repeat(100)],
    ['an endless tag', `<a b="${'x'.repeat(100_000)}"`],
    ['an endless comment', `<!--${'x'.repeat(100_000)}`],
    ['endless text', 'x'.repeat(300_000)],
  ])('bounds %s', (_name, text) => {
    const since = performance.now();
    expect(() => scan([Buffer.from(text)])).toThrow();
    expect(performance.now() - since).toBeLessThan(400);
  });

  it('does not decode a result at another path', () => {
    const at = (text: string) => scan([Buffer.from(text)]).bytes.toString();
    expect(
      at(
        '<Envelope><Header><GetDocumentResponse><GetDocumentResult>QUJD</GetDocumentResult></GetDocumentResponse></Header></Envelope>',
      ),
    ).toBe('');
    expect(
      at(
        '<Envelope><Body><GetDocumentResponse><GetDocumentResult>QUJD</GetDocumentResult><GetDocumentResult>REVG</GetDocumentResult></GetDocumentResponse></Body></Envelope>',
      ),
    ).toBe('ABC');
  });
});

it('decodes base64 in steps of every size around the borders of a group', () => {
  const base64 = Buffer.from(Buffer.from('any bytes at all, 0123456789').toString('base64'));
  const whole = Buffer.from('any bytes at all, 0123456789');
  for (let size = 1; size <= base64.length; size++) {
    const decoding = createBase64Decoding();
    const output = Buffer.alloc(64);
    let at = 0;
    for (let from = 0; from < base64.length; from += size)
      at += decoding.write(base64, from, Math.min(from + size, base64.length), output, at);
    at += decoding.end(output, at);
    expect(output.subarray(0, at).equals(whole)).toBe(true);
  }
});
