import type { Language } from '../../foundation/language.ts';
import { receiptNature } from './receipt-format.ts';

/** What the printed receipt says by itself. What was sent and answered stands in it as it was. */
export interface ReceiptTexts {
  readonly title: string;
  readonly nature: string;
  readonly headings: Readonly<
    Record<'document' | 'file' | 'request' | 'times' | 'answer' | 'statuses' | 'connection' | 'program', string>
  >;
  readonly labels: Readonly<Record<ReceiptLabel, string>>;
  readonly bytes: (count: number) => string;
  readonly quoted: (raw: string) => string;
  readonly nothing: string;
  readonly lostAnswer: string;
  readonly decided: string;
  readonly noAnswer: string;
  readonly noConnection: string;
  readonly noTls: string;
  readonly carries: string;
  readonly attachment: string;
}

type ReceiptLabel =
  | ('name' | 'description' | 'clientReference' | 'size' | 'operation' | 'taken' | 'departed' | 'answerBegan')
  | ('answered' | 'status' | 'firstAsked' | 'lastAsked' | 'address' | 'namespace' | 'soapVersion' | 'certificate')
  | ('issuer' | 'connection' | 'sentBy' | 'writtenBy' | 'writtenAt' | 'checksum');

const en: ReceiptTexts = {
  title: 'Custody receipt',
  nature: receiptNature,
  headings: {
    document: 'Document',
    file: 'File',
    request: 'Request',
    times: 'Times (UTC)',
    answer: 'Answer of the service, as sent',
    statuses: 'Statuses of the service, as sent',
    connection: 'Connection when it left',
    program: 'Program',
  },
  labels: {
    name: 'Name',
    description: 'Description',
    clientReference: 'Client reference',
    size: 'Size',
    operation: 'Operation',
    taken: 'Taken into the queue',
    departed: 'Began to leave',
    answerBegan: 'Answer began',
    answered: 'Answer complete',
    status: 'Status',
    firstAsked: 'First asked',
    lastAsked: 'Last asked',
    address: 'Address',
    namespace: 'Namespace',
    soapVersion: 'SOAP version',
    certificate: 'Certificate (SHA-256)',
    issuer: 'Certificate issued by',
    connection: 'Connection',
    sentBy: 'Sent by',
    writtenBy: 'Receipt written by',
    writtenAt: 'Receipt written at',
    checksum: 'Checksum of this receipt',
  },
  bytes: (count) => `${count} bytes`,
  quoted: (raw) => `“${raw}”`,
  nothing: '(nothing)',
  lostAnswer: 'The answer was lost.',
  decided: 'A person decided later that this is the document.',
  noAnswer: 'None was kept.',
  noConnection: 'not written down',
  noTls: 'none: not over TLS',
  carries: 'This PDF carries the receipt as JSON; Sealdesk checks a file against it without asking anybody.',
  attachment: 'The same receipt, for programs',
};

const de: ReceiptTexts = {
  title: 'Verwahrbeleg',
  nature:
    'Geschrieben von Sealdesk auf dem Computer, der das Dokument gesendet hat. Das ist unsere eigene Aufzeichnung, keine Bescheinigung des Dienstes; die Zeiten sind die der Uhr dieses Computers.',
  headings: {
    document: 'Dokument',
    file: 'Datei',
    request: 'Auftrag',
    times: 'Zeiten (UTC)',
    answer: 'Antwort des Dienstes, wie sie kam',
    statuses: 'Status beim Dienst, wie sie kamen',
    connection: 'Verbindung beim Senden',
    program: 'Programm',
  },
  labels: {
    name: 'Name',
    description: 'Beschreibung',
    clientReference: 'Eigenes Zeichen',
    size: 'Größe',
    operation: 'Operation',
    taken: 'In die Warteschlange genommen',
    departed: 'Begann zu gehen',
    answerBegan: 'Antwort begann',
    answered: 'Antwort vollständig',
    status: 'Status',
    firstAsked: 'Zuerst gefragt',
    lastAsked: 'Zuletzt gefragt',
    address: 'Adresse',
    namespace: 'Namensraum',
    soapVersion: 'SOAP-Version',
    certificate: 'Zertifikat (SHA-256)',
    issuer: 'Zertifikat ausgestellt von',
    connection: 'Verbindung',
    sentBy: 'Gesendet von',
    writtenBy: 'Beleg geschrieben von',
    writtenAt: 'Beleg geschrieben am',
    checksum: 'Prüfsumme dieses Belegs',
  },
  bytes: (count) => `${count} Bytes`,
  quoted: (raw) => `„${raw}“`,
  nothing: '(nichts)',
  lostAnswer: 'Die Antwort ging verloren.',
  decided: 'Ein Mensch hat später entschieden, dass dies das Dokument ist.',
  noAnswer: 'Keine wurde aufbewahrt.',
  noConnection: 'nicht festgehalten',
  noTls: 'keines: nicht über TLS',
  carries: 'Dieses PDF enthält den Beleg als JSON; Sealdesk prüft eine Datei daran, ohne jemanden zu fragen.',
  attachment: 'Derselbe Beleg, für Programme',
};

export const receiptTexts: Readonly<Record<Language, ReceiptTexts>> = { en, de };
