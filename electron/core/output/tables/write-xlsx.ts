import { setImmediate as nextTurn } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import type { NewTable } from './table.ts';
import { isFormulaLike, tableLimits } from './table.ts';

/** Rows that are written and compressed between two turns of the event loop. */
const rowsPerSlice = 200;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** All parts but the sheet. Style 1 marks a text that looks like a formula as text (quotePrefix), style 2 is bold. */
const fixedParts: readonly (readonly [string, string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets><sheet name="Sealdesk" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  ],
];

/** The bytes of a workbook with one sheet, made while its rows arrive, so that 100,000 rows are never in memory together. */
export async function* xlsxPieces({ headings, rows }: NewTable): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  for (const [name, xml] of fixedParts) add(zip, name).push(Buffer.from(head + xml), true);
  const sheet = add(zip, 'xl/worksheets/sheet1.xml');
  sheet.push(
    Buffer.from(
      `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>${rowXml(headings, 2)}`,
    ),
  );
  let slice = '';
  let count = 0;
  for await (const cells of rows) {
    slice += rowXml(cells);
    count += 1;
    if (count % rowsPerSlice > 0) continue;
    sheet.push(Buffer.from(slice));
    slice = '';
    yield* ready.splice(0);
    await nextTurn();
  }
  sheet.push(Buffer.from(`${slice}</sheetData></worksheet>`), true);
  zip.end();
  yield* ready.splice(0);
}

function add(zip: Zip, name: string): ZipDeflate {
  const part = new ZipDeflate(name, { level: 6 });
  zip.add(part);
  return part;
}

function rowXml(cells: readonly string[], style?: number): string {
  return `<row>${cells.map((cell) => cellXml(cell, style)).join('')}</row>`;
}

function cellXml(text: string, style: number | undefined): string {
  if (text === '') return '<c/>';
  const s = style ?? (isFormulaLike(text) ? 1 : 0);
  return `<c t="inlineStr" s="${s}"><is><t xml:space="preserve">${escaped(text.slice(0, tableLimits.cellCharacters))}</t></is></c>`;
}

/** Escapes a text for XML. Characters that XML cannot contain become `_x000D_`, as spreadsheets write them; a text that looks like such an escape is escaped itself. */
function escaped(text: string): string {
  const code = (sign: string) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text
    .replaceAll(/_(?=x[0-9A-F]{4}_)/g, '_x005F_')
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]/g, code)
    .replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
