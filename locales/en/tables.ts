import { failureHeadings } from '../failure-headings.ts';
import { bulkProblemsEn } from './shared/bulk-problems.ts';
import { serviceCodesEn } from './shared/service-codes.ts';
import { enFailures } from './window/failures.ts';

/** Headings and cells of tables for people; the headings of recipients are also used for reading tables. */
export const texts = {
  /** Suggested file names, without extensions. */
  fileNames: {
    sample: 'Sealdesk recipients',
    results: '{{table}} results',
    people: 'Sealdesk people',
  },
  /** Columns of the sample table of recipients. */
  recipients: {
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
    secretWord: 'Access code',
  },
  /**
   * Other accepted headings of these columns, separated by spaces: in lower case, without accents and punctuation. `#` stands for the number of the
   * column; for the first column the number may be absent.
   */
  alsoRecipients: {
    email1: 'email# emails mail# emailaddress# mailaddress# signeremail# signer#email recipient#',
    name1: 'name# names fullname# signername# signer#name recipientname#',
    email2: 'email# mail# emailaddress# signeremail# signer#email recipient#',
    name2: 'name# fullname# signername# signer#name recipientname#',
    email3: 'email# mail# emailaddress# signeremail# signer#email recipient#',
    name3: 'name# fullname# signername# signer#name recipientname#',
    cc: 'cc ccemail ccemails copy copyto',
    file: 'file filename document pdf',
    fileOrName: 'document',
    templateId: 'template templateid',
    documentName: 'documentname title',
    description: 'description',
    clientId: 'clientid client reference clientreference clientref',
    message: 'message messagetosigners',
    subject: 'subject customsubject',
    uniqueId: 'uniqueid',
    secretWord: 'secretword secret code',
  },
  /** Accepted headings of names that a table gives in two columns, written as above. */
  namesInParts: {
    first: 'firstname# givenname# forename# signerfirstname# signer#firstname',
    last: 'lastname# surname# familyname# signerlastname# signer#lastname',
  },
  /** Rows of the sample; names and addresses are the same in all languages. */
  examples: {
    first: {
      file: 'lease-12.pdf',
      documentName: 'Lease, flat 12',
      clientId: 'CASE-12',
      message: 'Please sign by Friday.',
    },
    second: { file: 'lease-13.pdf', documentName: 'Lease, flat 13', clientId: 'CASE-13' },
  },
  /** Result columns beside the rows of a sent table. */
  results: {
    row: 'Row',
    result: 'Result',
    documentId: 'Document ID',
    answer: 'Answer of the service',
    failure: 'Failure',
    problems: 'Problems',
    mended: 'Corrected',
    mendedFrom: '{{heading}}, was: {{was}}',
    problemIn: '{{heading}}: {{problem}}',
    at: 'Time (UTC)',
  },
  problems: bulkProblemsEn,
  failures: failureHeadings(enFailures),
  serviceCodes: serviceCodesEn,
  states: {
    ready: 'Not sent',
    skipped: 'Not sent: has problems',
    warned: 'Not sent: left out with a warning',
    prepared: 'In the queue',
    waiting: 'In the queue',
    asking: 'Not sent: needs your decision',
    sending: 'Being sent',
    done: 'Sent',
    refused: 'Refused by the service',
    failed: 'Not sent: failed',
    'in-doubt': 'In doubt: no clear answer',
    'passed-over': 'Not sent: duplicate',
    cancelled: 'Cancelled',
  },
  /** Columns of the list of the documents of one batch. */
  pageOf: 'Page {{page}} of {{total}}',
  registered: {
    madeBy: 'Made by',
    madeAt: 'Made (UTC)',
    sameAs: 'Not sent: same as {{what}}',
    corrected: 'corrected since',
    title: 'Documents',
    activity: 'Activity',
    file: 'File',
    document: 'Document name',
    documentId: 'Document ID',
    clientId: 'Client reference',
    state: 'State',
    sentAt: 'Sent (UTC)',
    at: 'Time (UTC)',
    sentTo: 'Sent to',
    kind: 'Kind',
    kinds: {
      AddNewDocument: 'Register',
      AddNewDocumentESign: 'Signature request',
      AddQuickNote: 'Note',
      AddNewEasySignDocument: 'Easy Sign request',
      AddNewEasySignTemplate: 'Easy Sign request',
    },
    connection: 'Connection',
    sha256: 'SHA-256',
    done: 'Registered',
  },
  /** Columns of exported signature requests. */
  tracking: {
    list: 'List',
    document: 'Document',
    name: 'Name',
    email: 'E-mail',
    created: 'Created',
    signature: 'Signature',
    seenAt: 'Seen at',
    states: { signed: 'signed', waiting: 'waiting', 'not-known': 'not known' },
    status: 'Status',
    statusAsOf: 'Status as of',
    documentId: 'Document ID (asked about)',
    originalDocumentId: 'Original document ID',
    reference: 'Client reference',
    due: 'Due',
    note: 'Note',
    secretWord: 'Access code',
  },
} as const;
