/** Draws the two documents in assets/samples. Run after a change: `node scripts/make-samples.ts` (Node 24). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';

const ink = rgb(0.13, 0.15, 0.19);
const quiet = rgb(0.42, 0.45, 0.5);
const accent = rgb(0.16, 0.29, 0.47);
const hairline = rgb(0.82, 0.83, 0.85);
const [width, height, margin] = [595.28, 841.89, 64];
/** Yields the same bytes in every run. */
const made = new Date('2026-03-02T09:00:00Z');

interface Faces {
  readonly serif: PDFFont;
  readonly bold: PDFFont;
  readonly sans: PDFFont;
}

interface Letter {
  readonly file: string;
  readonly title: string;
  readonly sender: string;
  readonly address: string;
  readonly paragraphs: readonly string[];
  readonly rows: readonly (readonly [string, string, string])[];
  readonly signers: readonly string[];
}

const letters: readonly Letter[] = [
  {
    file: 'letter-of-engagement.pdf',
    title: 'Letter of engagement',
    sender: 'Harrow & Pell, Surveyors',
    address: '14 Mill Lane, Easterby  ·  office@harrow-pell.example',
    paragraphs: [
      'Dear Ms Okafor,',
      'Thank you for asking us to survey the warehouse at 3 Canal Street. This letter sets out what we will do, what it costs and when you will have our report. Please sign below if you agree.',
      'We will visit the site once, measure every floor, and examine the roof, the outer walls and the drainage. Services behind walls are not opened. You receive a written report with drawings.',
    ],
    rows: [
      ['Work', 'When', 'Fee'],
      ['Site visit and measurement', '9 March 2026', '1,150.00'],
      ['Drawings, three floors', '18 March 2026', '840.00'],
      ['Written report', '25 March 2026', '610.00'],
    ],
    signers: ['Amara Okafor', 'Jonas Pell'],
  },
  {
    file: 'delivery-certificate.pdf',
    title: 'Certificate of delivery',
    sender: 'Northgate Instruments',
    address: '2 Foundry Row, Westhaven  ·  dispatch@northgate.example',
    paragraphs: [
      'This certifies that the instruments listed below left our works complete, calibrated and packed as ordered.',
      'Each instrument was tested on the day of dispatch. The test records are kept for ten years and are available under the serial number.',
    ],
    rows: [
      ['Instrument', 'Serial number', 'Tested'],
      ['Pressure gauge, 0 to 16 bar', 'NG-20418', '26 February 2026'],
      ['Pressure gauge, 0 to 25 bar', 'NG-20419', '26 February 2026'],
      ['Flow meter, DN 50', 'NG-31007', '27 February 2026'],
      ['Temperature probe, 300 mm', 'NG-08855', '27 February 2026'],
    ],
    signers: ['Ines Duarte, Quality'],
  },
];

function wrapped(text: string, font: PDFFont, size: number, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function rule(page: PDFPage, y: number): void {
  page.drawLine({ start: { x: margin, y }, end: { x: width - margin, y }, thickness: 0.6, color: hairline });
}

function drawHead(page: PDFPage, letter: Letter, { serif, bold, sans }: Faces): void {
  const [x, y] = [width - margin - 22, height - margin - 8];
  for (const radius of [22, 18]) page.drawCircle({ x, y, size: radius, borderWidth: 0.9, borderColor: accent });
  const initial = letter.sender.slice(0, 1);
  page.drawText(initial, {
    x: x - bold.widthOfTextAtSize(initial, 18) / 2,
    y: y - 6,
    size: 18,
    font: bold,
    color: accent,
  });
  page.drawText(letter.sender, { x: margin, y: y + 4, size: 13, font: bold, color: ink });
  page.drawText(letter.address, { x: margin, y: y - 13, size: 8.5, font: sans, color: quiet });
  rule(page, y - 34);
  page.drawText(letter.title, { x: margin, y: y - 88, size: 25, font: serif, color: ink });
  page.drawText('2 March 2026', { x: margin, y: y - 110, size: 9.5, font: sans, color: quiet });
}

function drawText(page: PDFPage, letter: Letter, { serif }: Faces): number {
  let y = height - margin - 152;
  for (const paragraph of letter.paragraphs) {
    for (const line of wrapped(paragraph, serif, 11.5, width - 2 * margin)) {
      page.drawText(line, { x: margin, y, size: 11.5, font: serif, color: ink });
      y -= 17;
    }
    y -= 9;
  }
  return y;
}

function drawTable(page: PDFPage, letter: Letter, { sans }: Faces, top: number): number {
  let y = top - 14;
  for (const [at, row] of letter.rows.entries()) {
    const color = at === 0 ? quiet : ink;
    const size = at === 0 ? 8.5 : 10;
    for (const [column, text] of row.entries())
      page.drawText(text, { x: margin + (column === 0 ? 0 : 120 + column * 115), y, size, font: sans, color });
    rule(page, y - 8);
    y -= 24;
  }
  return y;
}

function drawSignatures(page: PDFPage, letter: Letter, { sans }: Faces): void {
  for (const [at, name] of letter.signers.entries()) {
    const x = margin + at * 240;
    page.drawLine({ start: { x, y: 170 }, end: { x: x + 200, y: 170 }, thickness: 0.8, color: ink });
    page.drawText(name, { x, y: 154, size: 9.5, font: sans, color: quiet });
  }
  rule(page, 84);
  page.drawText('A sample. People, companies and figures are invented.', {
    x: margin,
    y: 66,
    size: 8,
    font: sans,
    color: quiet,
  });
}

for (const letter of letters) {
  const pdf = await PDFDocument.create();
  pdf.setTitle(letter.title);
  pdf.setAuthor(letter.sender);
  pdf.setLanguage('en');
  pdf.setCreationDate(made);
  pdf.setModificationDate(made);
  const faces: Faces = {
    serif: await pdf.embedFont(StandardFonts.TimesRoman),
    bold: await pdf.embedFont(StandardFonts.TimesRomanBold),
    sans: await pdf.embedFont(StandardFonts.Helvetica),
  };
  const page = pdf.addPage([width, height]);
  drawHead(page, letter, faces);
  drawTable(page, letter, faces, drawText(page, letter, faces));
  drawSignatures(page, letter, faces);
  const bytes = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  await writeFile(join(import.meta.dirname, '..', 'assets', 'samples', letter.file), bytes);
}
