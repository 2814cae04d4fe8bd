import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { measureTable } from '../harness/measure-table.ts';
import { atLength, sampled } from '../harness/test-length.ts';

const manyRows = atLength({ short: 500, all: 10_000 });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-tables-'));
});
afterAll(() => rm(folder, { recursive: true }));

const head = '<?xml version="1.0" encoding="UTF-8"?>';

function relations(count: number): string {
  const one = (n: number) => `<Relationship Id="rId${n}" Type="x" Target="worksheets/sheet${n}.xml"/>`;
  return `${head}<Relationships>${Array.from({ length: count }, (_each, n) => one(n + 1)).join('')}</Relationships>`;
}

function book(sheets: readonly string[], shared = '<sst/>'): Record<string, Uint8Array> {
  const names = sheets.map((_each, n) => `<sheet name="S${n}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('');
  return Object.fromEntries([
    ['xl/workbook.xml', Buffer.from(`${head}<workbook><sheets>${names}</sheets></workbook>`)],
    ['xl/_rels/workbook.xml.rels', Buffer.from(relations(sheets.length))],
    ['xl/sharedStrings.xml', Buffer.from(shared)],
    ...sheets.map((xml, n) => [`xl/worksheets/sheet${n + 1}.xml`, Buffer.from(xml)] as const),
  ]);
}

const sheetOf = (rows: string) => `${head}<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const headings = `<row>${inline('E-mail')}${inline('Name')}</row>`;

/** An archive whose parts all have the same content, which is packed once. */
function archive(parts: readonly (readonly [name: string, xml: Uint8Array])[], saidBytes?: number): Buffer {
  const packed = new Map<Uint8Array, Buffer>();
  const pieces: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, xml] of parts) {
    const body = packed.get(xml) ?? deflateRawSync(xml, { level: 1 });
    packed.set(xml, body);
    const both = Buffer.alloc(26);
    both.writeUInt16LE(20, 0);
    both.writeUInt16LE(8, 4);
    both.writeUInt32LE(crc32(xml), 10);
    both.writeUInt32LE(body.length, 14);
    both.writeUInt32LE(saidBytes ?? xml.length, 18);
    both.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    list.push(Buffer.from('PK\x01\x02\x14\0'), both, place, Buffer.from(name));
    pieces.push(Buffer.from('PK\x03\x04'), both, Buffer.from(name), body);
    at += 30 + name.length + body.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(list).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, ...list, end]);
}

async function put(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const measured = async (name: string, bytes: Uint8Array | string) => measureTable(await put(name, bytes));

// The limits are for a busy machine, where a turn of 50 ms shares its core: a regression would take seconds and gigabytes.
const [mostMs, mostMb] = [90, 200];

describe('a table', { timeout: 60_000 }, () => {
  it('is read from the first of 30 large sheets without blocking and without unpacking the others', async () => {
    const large = sheetOf(`<row>${inline('x')}</row>`.repeat(1_000_000));
    const small = sheetOf(`${headings}<row>${inline('a@example.com')}<c t="s"><v>2</v></c></row>`);
    const shared = `<sst>${['one', 'two', 'three'].map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`;
    const first = Buffer.from(small);
    const other = Buffer.from(large);
    const names = Array.from({ length: 30 }, (_each, n) => `xl/worksheets/sheet${n + 1}.xml`);
    const others = Object.entries(book([], shared)).filter(([name]) => name !== 'xl/workbook.xml');
    const workbook = `${head}<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`;
    const zipped = archive([
      ...others.map(([name, xml]) => [name, Buffer.from(xml)] as const),
      ['xl/workbook.xml', Buffer.from(workbook)],
      ...names.map((name, n) => [name, n === 0 ? first : other] as const),
    ]);
    const { headings: read, last, longestMs, addedMb } = await measured('sheets.xlsx', zipped);
    expect(read).toEqual(['E-mail', 'Name']);
    expect(last).toEqual({ row: 2, cells: ['a@example.com', 'three'] });
    expect(longestMs).toBeLessThan(mostMs);
    expect(addedMb).toBeLessThan(mostMb);
  });

  it('with a number format of millions of conditions shows its numbers as they are saved', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'[&gt;1]0;'.repeat(1_000_000)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`;
    const sheet = sheetOf(`${headings}<row>${inline('a@example.com')}<c s="1"><v>2.5</v></c></row>`);
    const parts = Object.entries({ ...book([sheet]), 'xl/styles.xml': Buffer.from(styles) });
    const { last, longestMs, addedMb } = await measured('format.xlsx', archive(parts));
    expect(last).toEqual({ row: 2, cells: ['a@example.com', '2.5'] });
    // Compared one by one, its conditions stopped the program for many seconds.
    expect(longestMs).toBeLessThan(1_000);
    expect(addedMb).toBeLessThan(mostMb);
  });

  it(`of ${manyRows} rows and 100 columns is read in slices`, async () => {
    const cells = Array.from({ length: 100 }, (_each, n) => `<c t="s"><v>${n}</v></c>`).join('');
    const texts = Array.from({ length: 1000 }, (_each, n) => `<si><t>text ${n}</t></si>`).join('');
    const sheet = sheetOf(`<row>${cells}</row>`.repeat(manyRows + 1));
    const xlsx = await measured('wide.xlsx', archive(Object.entries(book([sheet], `<sst>${texts}</sst>`))));
    expect([xlsx.rowCount, xlsx.last?.cells[99]]).toEqual([manyRows, 'text 99']);
    expect(xlsx.longestMs).toBeLessThan(mostMs);
    const line = Array.from({ length: 100 }, (_each, n) => (n % 2 ? `"text, ${n}"` : `text ${n}`)).join(',');
    const csv = await measured('wide.csv', `${line}\r\n`.repeat(manyRows + 1));
    expect([csv.rowCount, csv.last?.cells[99]]).toEqual([manyRows, 'text, 99']);
    expect(csv.longestMs).toBeLessThan(mostMs);
  });

  it.each(
    sampled(
      [
        [
          'a sheet of more than 48 MB',
          () => book([`<worksheet>${`<a>${' '.repeat(10_000)}</a>`.repeat(6_000)}</worksheet>`]),
        ],
        [
          'texts of more than 48 MB',
          () =>
            book(
              [sheetOf(`${headings}<row><c t="s"><v>9999999</v></c></row>`)],
              `<sst>${`<si><t>x</t></si>${' '.repeat(1000)}`.repeat(50_000)}</sst>`,
            ),
        ],
        ['more than 10000 rows', () => book([sheetOf(`<row>${inline('x')}</row>`.repeat(10_002))])],
        [
          'more than 20 million characters',
          () =>
            book(
              [sheetOf('<row><c t="s"><v>0</v></c></row>'.repeat(1_000))],
              `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`,
            ),
        ],
        ['a sheet with more than 64 elements inside each other', () => book([`<worksheet>${'<a>'.repeat(2_000_000)}`])],
        [
          'texts with more than 64 elements inside each other',
          () =>
            book(
              [sheetOf(`${headings}<row><c t="s"><v>9</v></c></row>`)],
              `<sst>${'<si>'.repeat(2_000_000)}${'</si>'.repeat(2_000_000)}</sst>`,
            ),
        ],
        [
          'styles with more than 64 elements inside each other',
          () => ({ ...book([sheetOf(headings)]), 'xl/styles.xml': Buffer.from('<a>'.repeat(2_000_000)) }),
        ],
        [
          'a list of sheets with more than 64 elements inside each other',
          () => ({ ...book([sheetOf(headings)]), 'xl/workbook.xml': Buffer.from('<a>'.repeat(2_000_000)) }),
        ],
        [
          'a list of parts with more than 64 elements inside each other',
          () => ({ ...book([sheetOf(headings)]), 'xl/_rels/workbook.xml.rels': Buffer.from('<a>'.repeat(2_000_000)) }),
        ],
        [
          'a sheet with more than 100 attributes',
          () => book([`<worksheet ${Array.from({ length: 500_000 }, (_each, n) => `a${n}=""`).join(' ')}/>`]),
        ],
        [
          'a sheet with a text of more than a million characters',
          () => book([sheetOf(`${headings}<row>${inline(']'.repeat(20 * 2 ** 20))}</row>`)]),
        ],
        ['more than 100 columns', () => book([sheetOf(`<row>${inline('x').repeat(100_000)}</row>`)])],
        [
          'more than 100 columns',
          () => book([sheetOf(`${headings}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)]),
        ],
        ['more than 1048576 lines', () => book([sheetOf(`${headings}${'<row/>'.repeat(7_000_000)}`)])],
      ],
      { short: 4, ci: 4 },
    ),
  )('in XLSX that has %s is refused and says so', async (what, parts) => {
    const { problem, longestMs, addedMb } = await measured('bomb.xlsx', archive(Object.entries(parts()), 1_000));
    expect(problem).toContain(what);
    expect(longestMs).toBeLessThan(mostMs);
    expect(addedMb).toBeLessThan(mostMb);
  });

  it.each(
    sampled(
      [
        ['larger than 20 MB', () => 'x'.repeat(21 * 2 ** 20)],
        ['more than a million characters', () => `E-mail\n"${'a\n'.repeat(5 * 2 ** 20)}`],
        ['more than 10000 rows', () => 'a@example.com\n'.repeat(1_000_000)],
        ['more than 100 columns', () => `E-mail,Name\na@example.com${','.repeat(200_000)}x\n`],
        ['more than 1048576 lines', () => `E-mail,Name\n${'\n'.repeat(19 * 2 ** 20)}`],
        ['no text', () => Buffer.alloc(19 * 2 ** 20)],
      ],
      { short: 3, ci: 3 },
    ),
  )('in CSV that has %s is refused and says so', async (what, content) => {
    const { problem, longestMs } = await measured('bomb.csv', content());
    expect(problem).toContain(what);
    expect(longestMs).toBeLessThan(mostMs);
  });

  it('in CSV is the same wherever the slices are cut', async () => {
    for (const [newline, quote] of [
      ['\r\n', '"'],
      ['\n', '"'],
      ['\r', ''],
    ] as const) {
      const row = (n: number) => [
        `${n}`,
        `${quote}a${quote === '' ? '' : `""b,${newline}`}${'ü'.repeat(n % 7)}${quote}`,
        'end',
      ];
      const text = `A,B,C${newline}${Array.from({ length: 9_000 }, (_each, n) => row(n).join(',')).join(newline)}`;
      const table = await readTable({ path: await put('cut.csv', text) }, 'en');
      expect(table.rows).toHaveLength(9_000);
      for (const [at, { row: number, cells }] of table.rows.entries())
        expect([number, cells]).toEqual([
          at + 2,
          [`${at}`, `a${quote === '' ? '' : `"b,${newline}`}${'ü'.repeat(at % 7)}`, 'end'],
        ]);
    }
  });

  it('in XLSX with wrong bytes anywhere is refused or reads the same', async () => {
    const rows = Array.from(
      { length: 50 },
      (_each, n) =>
        `<row>${inline(`person${n}@example.com`)}${inline(`${createHash('md5').update(`${n}`).digest('hex')}`)}</row>`,
    ).join('');
    const whole = zipSync(book([sheetOf(headings + rows)]));
    const table = await readTable({ path: await put('whole.xlsx', whole) }, 'en');
    expect(table.rows).toHaveLength(50);
    for (let at = 7; at < whole.length; at += 97) {
      const wrong = Uint8Array.from(whole);
      wrong[at] = (wrong[at] ?? 0) ^ 0x55;
      const path = join(folder, 'wrong.xlsx');
      await writeFile(path, wrong);
      const read = await readTable({ path }, 'en').catch(
        (error: { failure?: { code: string } }) => error.failure?.code,
      );
      expect([table, 'bad-input']).toContainEqual(read);
    }
  });
});
