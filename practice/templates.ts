import { Refusal } from './operation-call.ts';

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** The template library, which a person would create in a real service's portal. */
export const templates: readonly Template[] = [
  {
    id: 'TPL-1001',
    title: 'Letter of engagement',
    lines: ['We confirm that we will act for you in the matter described', 'and on the terms set out in the schedule.'],
  },
  {
    id: 'TPL-1002',
    title: 'Non-disclosure agreement',
    lines: [
      'Each party keeps confidential what it learns from the other',
      'and uses it for the purpose named above alone.',
    ],
  },
  {
    id: 'TPL-1003',
    title: 'Consent form',
    lines: ['I have read the information given to me', 'and agree to what it describes.'],
  },
];

/** Throws -157 for a malformed ID (not like `TPL-1001`), -158 for an unknown one; TPL-9301 to TPL-9308 throw -301 to -308. */
export function requireTemplate(id: string): Template {
  const number = /^TPL-(\d{4})$/.exec(id.trim())?.[1];
  if (!number) throw new Refusal(-157);
  if (/^930[1-8]$/.test(number)) throw new Refusal(-(Number(number) - 9000));
  const template = templates.find((each) => each.id === id.trim());
  if (!template) throw new Refusal(-158);
  return template;
}

/** A page with the template's text; plain ASCII, so that lengths are byte offsets. */
export function templatePdf({ title, lines }: Template): Buffer {
  const shown = [
    `/F1 18 Tf 72 760 Td (${title}) Tj`,
    '/F1 11 Tf 0 -14 Td',
    ...lines.map((line) => `0 -18 Td (${line}) Tj`),
  ];
  const stream = `BT ${shown.join('\n')}\n0 -60 Td (Signature: ______________________________) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
