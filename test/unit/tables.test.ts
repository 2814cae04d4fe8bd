import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Excel from '@e965/xlsx';
import { zipSync } from 'fflate';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { guarded, unguarded } from '../../electron/core/output/tables/table.ts';
import { writeTable } from '../../electron/core/output/tables/write-table.ts';
import { meaningsOf, sampleTable, withColumns } from '../../electron/core/signatures/bulk/headings.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-tables-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, bytes?: string | Uint8Array, locale = 'en') {
  const path = join(folder, name);
  if (bytes !== undefined) await writeFile(path, bytes);
  return readTable({ path }, locale);
}

const hard = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ' =1',
  '＝1',
  'a"b',
  'a;b,c\td',
  'line\nbreak',
  'Ö 😀',
  '<&>',
  '_x0041_',
  'a\u0007b',
  '',
  '007',
  "'quoted",
];

describe('tables', () => {
  it.each([
    ['commas', 'E-mail,Name\na@example.com,"Last, First"\n'],
    ['semicolons', 'E-mail;Name\r\na@example.com;Last, First\r\n'],
    ['tabs and a mark', '\uFEFFE-mail\tName\na@example.com\tLast, First'],
    ['a named separator', 'sep=|\nE-mail|Name\na@example.com|Last, First'],
    [
      'UTF-16',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('E-mail\tName\na@example.com\tLast, First', 'utf16le')]),
    ],
  ])('in CSV with %s are read', async (_name, bytes) => {
    const { headings, rows } = await read('in.csv', bytes);
    expect(headings).toEqual(['E-mail', 'Name']);
    expect(rows.map(({ cells }) => cells)).toEqual([['a@example.com', 'Last, First']]);
  });

  it('without headings keep every row: an address is no heading', async () => {
    expect(await read('in.csv', '\nAnna Alt,mailto:anna@example.com\nBob,bob@example.com,x')).toEqual({
      headings: ['', '', ''],
      rows: [
        { row: 2, cells: ['Anna Alt', 'mailto:anna@example.com'] },
        { row: 3, cells: ['Bob', 'bob@example.com', 'x'] },
      ],
    });
  });

  it('are read from CSV of Excel on Windows, and empty rows are counted', async () => {
    const { headings, rows } = await read('in.csv', Buffer.from('E-mail;Gr\xf6\xdfe\n;\na@example.com;1\n', 'latin1'));
    expect(headings).toEqual(['E-mail', 'Größe']);
    expect(rows).toEqual([{ row: 3, cells: ['a@example.com', '1'] }]);
  });

  it('are read from files of spreadsheet programs: shared, inline and rich texts, numbers, gaps', async () => {
    const sheet = Excel.utils.aoa_to_sheet([
      ['E-mail', 'Name', '', 'Client ID'],
      ['a@example.com', 'Ayla', null, 4711],
      [],
      ['b@example.com', 'Ö 😀', 'x', true],
    ]);
    const book = Excel.utils.book_new();
    Excel.utils.book_append_sheet(book, sheet, 'People');
    for (const bookSST of [true, false]) {
      const { headings, rows } = await read(
        'in.xlsx',
        Excel.write(book, { type: 'buffer', bookType: 'xlsx', bookSST }) as Buffer,
      );
      expect(headings).toEqual(['E-mail', 'Name', '', 'Client ID']);
      expect(rows).toEqual([
        { row: 2, cells: ['a@example.com', 'Ayla', '', '4711'] },
        { row: 4, cells: ['b@example.com', 'Ö 😀', 'x', 'TRUE'] },
      ]);
    }
  });

  /** A sheet of one column of numbers, each in a format of its own, written by another program. */
  function numbers(cells: readonly (readonly [value: number, pattern: string])[], isFrom1904 = false): Buffer {
    const sheet = Excel.utils.aoa_to_sheet([['Value'], ...cells.map(([value]) => [value])]);
    for (const [at, [, pattern]] of cells.entries()) {
      const cell = sheet[`A${at + 2}`] as { z?: string };
      cell.z = pattern;
    }
    const book = Excel.utils.book_new();
    Excel.utils.book_append_sheet(book, sheet, 'Numbers');
    book.Workbook = { WBProps: { date1904: isFrom1904 } };
    return Excel.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  }

  it('have numbers and dates as they are seen: by the format of the cell', async () => {
    const cells = [
      [42, '00000'],
      [46347, 'yyyy-mm-dd'],
      [46347, 'd mmmm yyyy'],
      [46347.75, 'dd/mm/yyyy hh:mm'],
      [0.0725, '0.00%'],
      [1234567.891, '#,##0.00'],
      [-3, '0;(0)'],
      [4711, '"No. "0'],
      [123456789012345, '0'],
      [0.1 + 0.2, 'General'],
      [4711, 'General'],
    ] as const;
    const { rows } = await read('formats.xlsx', numbers(cells));
    const shown = rows.map(({ cells: [text] }) => text);
    // What another reader of the same file shows.
    expect(shown.slice(0, 9)).toEqual(cells.slice(0, 9).map(([value, pattern]) => Excel.SSF.format(pattern, value)));
    expect(shown.slice(0, 3)).toEqual(['00042', '2026-11-21', '21 November 2026']);
    expect(shown.slice(9)).toEqual(['0.3', '4711']);
  });

  it('have short dates and separators as the region shows them', async () => {
    const short = numbers([
      [46347, 'm/d/yy'],
      [1234.5, '#,##0.00'],
    ]);
    const inRegion = async (locale: string) =>
      (await read('region.xlsx', short, locale)).rows.map(({ cells }) => cells[0]);
    expect(await inRegion('de-AT')).toEqual([expect.stringMatching(/^21\.11\.(20)?26$/), '1.234,50']);
    expect(await inRegion('en-US')).toEqual([expect.stringMatching(/^11\/21\/(20)?26$/), '1,234.50']);
    expect(await inRegion('tlh')).toEqual(await inRegion('en'));
  });

  it('have dates of workbooks that count from 1904, and what no calendar has as it is saved', async () => {
    const { rows } = await read('1904.xlsx', numbers([[46347 - 1462, 'yyyy-mm-dd']], true));
    expect(rows[0]?.cells).toEqual(['2026-11-21']);
    const odd = await read(
      'odd.xlsx',
      numbers([
        [-5, 'yyyy-mm-dd'],
        [1e12, 'yyyy-mm-dd'],
      ]),
    );
    expect(odd.rows.map(({ cells }) => cells[0])).toEqual(['-5', '1000000000000']);
  });

  it('are written to XLSX so that a spreadsheet program reads the same texts and no formulas', async () => {
    const path = join(folder, 'out.xlsx');
    await writeTable({ path }, 'xlsx', {
      headings: ['A', 'B'],
      rows: hard.map((text) => [text, 'end']),
      language: 'en',
    });
    const book = Excel.read(await readFile(path));
    const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
    for (const [at, text] of hard.entries()) {
      const cell = sheet[`A${at + 2}`] as { t: string; v: string; f?: string } | undefined;
      expect(cell?.f).toBeUndefined();
      // The reader decodes escaped control characters differently.
      if (!/_x|\u0007/.test(text) && text !== '') expect(cell).toMatchObject({ t: 's', v: text });
    }
    const own = await read('out.xlsx');
    expect(own.rows.map(({ cells }) => cells[0])).toEqual(hard);
  });

  it('are written to CSV with an apostrophe before each text that a spreadsheet would take for a formula', async () => {
    const path = join(folder, 'out.csv');
    await writeTable({ path }, 'csv', {
      headings: ['A', 'B'],
      rows: hard.map((text) => [text, 'end']),
      language: 'de',
    });
    const { rows } = await read('out.csv');
    for (const [at, text] of hard.entries()) {
      const cell = rows[at]?.cells[0] ?? '';
      const isDangerous = /^[\s]*[=+\-@＝]/.test(text);
      expect(cell.startsWith("'") || !isDangerous, text).toBe(true);
    }
    expect(await readFile(path, 'utf8')).toContain(';end\r\n');
  });

  it.each([';', ',', '\t', '|'])(
    'hold no formula in CSV that is opened with %j as its separator',
    async (separator) => {
      const formulas = ['=HYPERLINK("https://elsewhere.example")', '+1', '-1', '@SUM(1)', '＝1'];
      const starts = [
        '',
        ' ',
        '"',
        '\n',
        'Lease;',
        'Lease,',
        'Lease\t',
        'Lease|',
        'Lease; ',
        'Lease;"',
        'Lease;\t ',
        'a,b;c\t',
        'Lease\n',
      ];
      const texts = starts.flatMap((start) => formulas.map((formula) => `${start}${formula}`));
      for (const language of ['en', 'de'] as const) {
        const path = join(folder, `other-${language}-${separator.charCodeAt(0)}.csv`);
        await writeTable({ path }, 'csv', {
          headings: ['A', 'B', 'C'],
          rows: texts.map((text) => ['x', text, 'y']),
          language,
        });
        // As spreadsheets do, not as the own reader: a quote counts at the start of a cell only.
        const cells = Papa.parse<string[]>(await readFile(path, 'utf8'), { delimiter: separator }).data.flat();
        const formulasIn = cells.filter((cell) => /^\s*[=+\-@＝]/.test(cell));
        expect(formulasIn).toEqual([]);
      }
    },
  );

  it('give back what was written to CSV', () => {
    for (const text of ['=1', 'Lease; =1', 'a,"-1', 'Meier, +49 170', 'plain', 'a;b', 'x\n@y'])
      expect(unguarded(guarded(text))).toBe(text);
  });

  it('are refused with a plain message if they are no tables', async () => {
    const refused = (name: string, bytes: string | Uint8Array, detail = 'table-unreadable', row?: number) =>
      expect(read(name, bytes), name).rejects.toMatchObject({
        failure: { code: 'bad-input', detail, fields: { tableToken: expect.any(String) }, ...(row && { row }) },
      });
    await refused('a.csv', 'E-mail\n"never ends\nb\nc', 'table-quote', 2);
    await refused('a.csv', `E-mail\na@example.com\n"${'never ends\n'.repeat(200_000)}`, 'table-quote', 3);
    await refused('a.csv', 'x'.repeat(2 * 1024 * 1024), 'table-too-large');
    await refused('a.csv', Buffer.from('E-mail\0x'));
    await refused('a.csv', `E-mail\n${'a@example.com\n'.repeat(10_001)}`, 'table-rows');
    await refused('a.csv', 'a@example.com\n'.repeat(10_001), 'table-rows');
    await refused('a.csv', 'E-mail,'.repeat(101), 'table-columns');
    await refused('a.csv', ' \n', 'file-empty');
    await refused('a.xlsx', Buffer.from('PK\x03\x04 and nothing else'));
    await refused('a.xlsx', zipSync({ 'a.txt': Buffer.from('x') }));
    await refused('a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'table-old');
    const rels = '<Relationships/>';
    const workbook = '<workbook><sheets/></workbook>';
    const book = (sheet: string) =>
      zipSync({
        'xl/workbook.xml': Buffer.from(workbook),
        'xl/_rels/workbook.xml.rels': Buffer.from(rels),
        'xl/worksheets/sheet1.xml': Buffer.from(sheet),
      });
    await refused('a.xlsx', book('<!DOCTYPE a [<!ENTITY e "x">]><worksheet>&e;</worksheet>'));
    await refused('a.xlsx', book('<worksheet><sheetData><row>'));
  });

  it('are refused, with no other effect, if they are cut or have wrong bytes', async () => {
    const path = join(folder, 'whole.xlsx');
    await writeTable({ path }, 'xlsx', await sampleTable('en'));
    const whole = await readFile(path);
    for (let at = 10; at < whole.length; at += Math.ceil(whole.length / 60)) {
      const wrong = Buffer.from(whole);
      wrong[at] = (wrong[at] ?? 0) ^ 0xff;
      for (const bytes of [whole.subarray(0, at), wrong])
        await read('cut.xlsx', bytes).then(
          ({ rows }) => expect(rows.length).toBeLessThan(100),
          (error: { failure?: { code: string } }) => expect(error.failure?.code).toBe('bad-input'),
        );
    }
  });

  it.each(languageTags)('for filling in (%s) have headings that are recognised', async (language) => {
    for (const format of ['csv', 'xlsx'] as const) {
      await writeTable({ path: join(folder, `${language}.${format}`) }, format, await sampleTable(language));
      const { headings, rows } = await read(`${language}.${format}`);
      expect(await meaningsOf({ headings, rows })).not.toContain(null);
      expect(rows).toHaveLength(2);
    }
  });

  it('with other headings are recognised as far as possible', async () => {
    const headings = ['EMAIL ADDRESS', 'Signer Name', 'Signer 2 e-mail', 'Empfänger 3', 'Kunde', 'What', 'E-Mail'];
    expect(await meaningsOf({ headings, rows: [] })).toEqual([
      'email1',
      'name1',
      'email2',
      'email3',
      'clientId',
      null,
      null,
    ]);
  });

  it('say of a document whether it is a file or its name by what stands below', async () => {
    const meaning = async (heading: string, ...values: string[]) =>
      (await meaningsOf({ headings: [heading, 'E-mail'], rows: values.map((cell) => ({ row: 2, cells: [cell] })) }))[0];
    expect(await meaning('Document', 'Lease, flat 12', 'Lease no. 13')).toBe('documentName');
    expect(await meaning('Dokument', 'lease-12.pdf', '', 'Lease 13.PDF')).toBe('file');
    expect(await meaning('File', 'lease-12')).toBe('file');
    const both = { headings: ['Document name', 'Document'], rows: [{ row: 2, cells: ['Lease', 'Flat 12'] }] };
    expect(await meaningsOf(both)).toEqual(['documentName', null]);
    const named = {
      headings: ['Document', 'file', 'E-mail'],
      rows: [{ row: 2, cells: ['Contract Ana', 'ana.pdf', ''] }],
    };
    expect(await meaningsOf(named)).toEqual(['documentName', 'file', 'email1']);
  });

  it('make one name of first and last names, and say nothing twice', async () => {
    const read = async (headings: string[], ...rows: string[][]) => {
      const given = { headings, rows: rows.map((cells, at) => ({ row: at + 2, cells })) };
      const { columns, rows: joined } = await withColumns(given, await meaningsOf(given));
      const isSent = (_any: unknown, at: number) => columns[at]?.partOf === undefined;
      const sent = columns.filter(isSent);
      return [
        sent.map(({ heading }) => heading),
        sent.map(({ column }) => column),
        ...joined.map(({ cells }) => cells.filter(isSent)),
      ];
    };
    expect(
      await read(
        ['Last name', 'First name', 'Email address', 'What'],
        ['Öztürk', ' Ayla ', 'ayla@example.com', 'x'],
        ['', 'Bo'],
      ),
    ).toEqual([
      ['First name + Last name', 'Email address', 'What'],
      ['name1', 'email1', null],
      ['Ayla Öztürk', 'ayla@example.com', 'x'],
      ['Bo', '', ''],
    ]);
    expect(await read(['E-Mail', 'Name', 'Vorname'], ['a@example.com', 'Weiß', 'Jörg'])).toEqual([
      ['E-Mail', 'Vorname + Name'],
      ['email1', 'name1'],
      ['a@example.com', 'Jörg Weiß'],
    ]);
    expect(await read(['Nombre', 'Apellidos', 'Correo'], ['Ana María', 'Ruiz Gil', 'a@example.com'])).toEqual([
      ['Nombre + Apellidos', 'Correo'],
      ['name1', 'email1'],
      ['Ana María Ruiz Gil', 'a@example.com'],
    ]);
    const crm = ['Full name', 'First name', 'Last name', 'E-mail'];
    expect((await read(crm, ['Pia Rossi', 'Pia', 'Rossi', 'p@example.com'])).at(-1)).toEqual([
      'Pia Rossi',
      'p@example.com',
    ]);
    const second = await read(
      ['Email', 'Email 2', 'First name 2', 'Surname 2'],
      ['a@b.example', 'c@d.example', 'C', 'D'],
    );
    expect(second.at(-1)).toEqual(['a@b.example', 'c@d.example', 'C D']);
    expect(second[1]).toEqual(['email1', 'email2', 'name2']);
  });
});
