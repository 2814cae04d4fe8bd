import { type BulkColumn, bulkColumns } from '../../../../contract/bulk.ts';
import type { Language } from '../../foundation/language.ts';

/** As a sample has them. */
export const headings: Record<Language, Record<BulkColumn, string>> = {
  en: {
    email1: 'E-mail',
    name1: 'Name',
    email2: 'E-mail 2',
    name2: 'Name 2',
    email3: 'E-mail 3',
    name3: 'Name 3',
    cc: 'Copy to',
    file: 'File',
    templateId: 'Template ID',
    documentName: 'Document name',
    description: 'Description',
    clientId: 'Client reference',
    message: 'Message',
    subject: 'Subject',
    uniqueId: 'Unique ID',
    secretWord: 'Secret word',
  },
  de: {
    email1: 'E-Mail',
    name1: 'Name',
    email2: 'E-Mail 2',
    name2: 'Name 2',
    email3: 'E-Mail 3',
    name3: 'Name 3',
    cc: 'Kopie an',
    file: 'Datei',
    templateId: 'Vorlagen-ID',
    documentName: 'Dokumentname',
    description: 'Beschreibung',
    clientId: 'Kundenreferenz',
    message: 'Nachricht',
    subject: 'Betreff',
    uniqueId: 'Eindeutige ID',
    secretWord: 'Geheimwort',
  },
};

/** What else people write, without signs and in lower case. `#` stands for 1, 2, 3 or, for the first one, nothing. */
const others: Partial<Record<BulkColumn, string>> = {
  email1:
    'email# emails mail# emailaddress# mailaddress# emailadresse# mailadresse# signeremail# signer#email recipient# empfaenger# empfanger#',
  name1: 'name# names fullname# signername# signer#name recipientname# vollername#',
  email2: 'email# mail# emailaddress# emailadresse# signeremail# signer#email recipient# empfaenger# empfanger#',
  name2: 'name# fullname# signername# signer#name recipientname#',
  email3: 'email# mail# emailaddress# emailadresse# signeremail# signer#email recipient# empfaenger# empfanger#',
  name3: 'name# fullname# signername# signer#name recipientname#',
  cc: 'cc ccemail ccemails copy copyto kopie',
  file: 'file filename document pdf datei dateiname dokument',
  templateId: 'template templateid vorlage vorlagenid vorlageid',
  documentName: 'documentname title titel bezeichnung',
  description: 'description beschreibung',
  clientId:
    'clientid client reference clientreference clientref kunde kundennummer kundenreferenz referenz aktenzeichen',
  message: 'message messagetosigners nachricht',
  subject: 'subject customsubject betreff',
  uniqueId: 'uniqueid',
  secretWord: 'secretword secret geheimwort',
};

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const known: ReadonlyMap<string, BulkColumn> = new Map(
  [...bulkColumns].reverse().flatMap((column) => {
    const number = /\d$/.exec(column)?.[0] ?? '';
    const words = (others[column] ?? '').split(' ').flatMap((word) => {
      if (!word.includes('#')) return [word];
      return number === '1' ? [word.replace('#', ''), word.replace('#', '1')] : [word.replace('#', number)];
    });
    return [headings.en[column], headings.de[column], ...words].map((word) => [plain(word), column] as const);
  }),
);

/** What each heading means; null for one that says nothing here, and for one that says the same again. */
export function columnsOf(given: readonly string[]): (BulkColumn | null)[] {
  const taken = new Set<BulkColumn>();
  return given.map((heading) => {
    const column = known.get(plain(heading)) ?? null;
    if (column === null || taken.has(column)) return null;
    taken.add(column);
    return column;
  });
}

const examples: Record<Language, readonly Partial<Record<BulkColumn, string>>[]> = {
  en: [
    {
      email1: 'ayla@example.com',
      name1: 'Ayla Öztürk',
      file: 'lease-12.pdf',
      documentName: 'Lease, flat 12',
      clientId: 'CASE-12',
      message: 'Please sign by Friday.',
    },
    {
      email1: 'chidi@example.com',
      name1: 'Chidi Okafor',
      email2: 'dana@example.com',
      name2: 'Dana Cohen',
      file: 'lease-13.pdf',
      documentName: 'Lease, flat 13',
      clientId: 'CASE-13',
    },
  ],
  de: [
    {
      email1: 'ayla@example.com',
      name1: 'Ayla Öztürk',
      file: 'mietvertrag-12.pdf',
      documentName: 'Mietvertrag Wohnung 12',
      clientId: 'AZ-12',
      message: 'Bitte bis Freitag unterschreiben.',
    },
    {
      email1: 'chidi@example.com',
      name1: 'Chidi Okafor',
      email2: 'dana@example.com',
      name2: 'Dana Cohen',
      file: 'mietvertrag-13.pdf',
      documentName: 'Mietvertrag Wohnung 13',
      clientId: 'AZ-13',
    },
  ],
};

/** A table to fill in: every column, two rows that show what goes where. */
export function sampleTable(language: Language): { headings: string[]; rows: string[][]; language: Language } {
  return {
    headings: bulkColumns.map((column) => headings[language][column]),
    rows: examples[language].map((row) => bulkColumns.map((column) => row[column] ?? '')),
    language,
  };
}
