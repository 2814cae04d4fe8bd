import type { FailureCode, FailureDetail } from '../../../contract/failure.ts';
import { teamFailures } from '../shared/team-failures.ts';

/** Heading: what happened. Advice: what to do. */
export interface FailureWords {
  readonly heading: string;
  readonly advice: string;
}

/** Texts for every kind of failure: a code or detail without a text does not compile. */
export const enFailures = {
  code: {
    'bad-input': { heading: 'Some entries are not valid', advice: 'Correct the marked fields and try again.' },
    'not-found': {
      heading: 'Not found',
      advice: 'It was removed meanwhile. Go back to the list.',
    },
    'not-connected': {
      heading: 'The connection has no credentials',
      advice: 'Enter the API key and signature in Connections. Both are in the service’s portal.',
    },
    'credentials-rejected': {
      heading: 'The service rejected the credentials',
      advice: 'Enter the API key and signature again in Connections, as the service’s portal shows them.',
    },
    'service-refused': {
      heading: 'The service refused',
      advice: 'See its answer below. Correct what it names, or ask the service’s support.',
    },
    'service-unreachable': {
      heading: 'The service could not be reached',
      advice: 'Nothing was sent. Check the network, or use Check connection in Connections.',
    },
    'service-timeout': {
      heading: 'The service took too long',
      advice: 'Try again later, or allow more time in the connection’s settings.',
    },
    'outcome-unknown': {
      heading: 'No clear answer received',
      advice: 'It may have been done. Check at the service before you send again.',
    },
    'reply-unreadable': {
      heading: 'The answer is not from this service',
      advice: 'Check the connection’s address and paths.',
    },
    'file-unreadable': {
      heading: 'The file cannot be read',
      advice: 'Check that it still exists and that you may open it.',
    },
    'file-changed': {
      heading: 'The file changed while it was read',
      advice: 'Close it in other programs, then choose it again.',
    },
    cancelled: { heading: 'Cancelled', advice: 'Nothing more happens.' },
    'storage-full': { heading: 'The disk is full', advice: 'Free some space, then try again.' },
    'storage-busy': {
      heading: 'Another program is using the local records',
      advice: 'Nothing was changed. Try again in a moment.',
    },
    'storage-unusable': {
      heading: 'Sealdesk’s data could not be read or written',
      advice: 'Check that the disk is not write-protected, then restart Sealdesk.',
    },
    bug: {
      heading: 'Something unexpected happened',
      advice: 'Try again. If it happens again, give support the reference below.',
    },
  } satisfies Record<FailureCode, FailureWords>,
  detail: {
    'file-missing': {
      heading: 'The file was not found',
      advice: 'It was moved, renamed or deleted. Choose it again.',
    },
    'file-denied': { heading: 'No permission to open this file', advice: 'Ask its owner for access.' },
    'file-locked': { heading: 'Another program is using this file', advice: 'Close it there, then try again.' },
    'file-empty': { heading: 'The file is empty', advice: 'Choose another file.' },
    'file-is-folder': { heading: 'This is a folder', advice: 'Drop it, or use “Choose folder…”.' },
    'file-not-pdf': { heading: 'Not a PDF', advice: 'Only PDFs can be registered. Save it as PDF first.' },
    'file-encrypted': { heading: 'The PDF is encrypted', advice: 'Save a copy without password protection first.' },
    'target-not-writable': { heading: 'The file cannot be written there', advice: 'Choose another folder.' },
    'drive-error': { heading: 'The drive reports an error', advice: 'Check the drive, then try again.' },
    'too-many-open-files': {
      heading: 'Too many files are open on this computer',
      advice: 'Close other programs, then try again.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk cannot write to its data folder',
      advice: 'Check its permissions, and that the disk is not write-protected.',
    },
    'id-unusable': {
      heading: 'This is not a document ID',
      advice: 'It has 32 digits and letters from a to f, with hyphens: copy it from the service’s portal.',
    },
    'id-taken': {
      heading: '“{{name}}” has this ID',
      advice: 'Each document has an ID of its own: copy this one’s from the service’s portal.',
    },
    'target-exists': {
      heading: 'A file with this name already exists',
      advice: 'Save under another name.',
    },
    'service-changed': {
      heading: 'The connection leads to another address now',
      advice: 'What is left was not asked for there. Start a new download.',
    },
    'path-too-long': {
      heading: 'The path is too long',
      advice: 'Move the file to a higher folder, or shorten folder names.',
    },
    'file-special': {
      heading: 'This is a device or a pipe, not a file',
      advice: 'Choose a file.',
    },
    'copy-changed': {
      heading: 'Sealdesk’s own copy of the file was changed',
      advice: 'The service did not get it. Send it again, which copies the file anew, or choose the file again.',
    },
    'file-name': {
      heading: 'This file can be confused with another: its name is not in UTF-8, or looks like one that is not',
      advice: 'Rename the file.',
    },
    'table-unreadable': {
      heading: 'The file is not a readable spreadsheet',
      advice: 'Open it in a spreadsheet program and save it as XLSX or CSV.',
    },
    'table-old': {
      heading: 'An old Excel file, or one with a password',
      advice: 'Save it in Excel as XLSX without a password.',
    },
    'table-too-large': {
      heading: 'The file is too large to be read',
      advice: 'Delete what is not needed, or split it into several files.',
    },
    'table-rows': {
      heading: 'The spreadsheet has too many rows',
      advice: 'Split it into files of up to 10,000 rows.',
    },
    'table-columns': {
      heading: 'The spreadsheet has too many columns',
      advice: 'Leave 100 at most: delete those that are not needed.',
    },
    'table-empty': {
      heading: 'The spreadsheet has headings and no rows',
      advice: 'Fill in a row for each person.',
    },
    'table-quote': {
      heading: 'A quotation mark in row {{row}} is open or misplaced',
      advice: 'Correct the row, or save the spreadsheet as XLSX.',
    },
    'name-not-resolved': {
      heading: 'The service’s address was not found',
      advice: 'Nothing was sent. Check the address and the network.',
    },
    'connection-refused': {
      heading: 'Nothing answers at the service’s address',
      advice: 'Nothing was sent. Check the address and port, or try again later.',
    },
    'connection-lost': { heading: 'The connection broke', advice: 'Check the network, then try again.' },
    'tls-untrusted': {
      heading: 'The service’s certificate is not trusted',
      advice: 'Nothing was sent. If your organisation has its own authority, add its certificate to the connection.',
    },
    'tls-failed': {
      heading: 'No secure connection',
      advice:
        'Nothing was sent. The service may be too old or need a client certificate, or a device in between interferes.',
    },
    'tls-expired': {
      heading: 'The service’s certificate is out of date',
      advice:
        'Nothing was sent. Check this computer’s date; if it is right, ask whoever runs the service to renew the certificate.',
    },
    'client-certificate-needed': {
      heading: 'The service asks for a client certificate',
      advice: 'Nothing was done. Choose your certificate in the connection, under More.',
    },
    'client-certificate-refused': {
      heading: 'The service did not accept the client certificate',
      advice:
        'Nothing was done. It may be for another service: ask whoever issued it, then choose the right one in the connection, under More.',
    },
    'client-certificate-expired': {
      heading: 'The client certificate has expired',
      advice: 'Nothing was done. Get a new one from whoever issued it, and choose it in the connection, under More.',
    },
    'proxy-failed': {
      heading: 'The proxy cannot be reached',
      advice: 'Nothing was sent. Check the network, and the proxy in the connection’s settings.',
    },
    'proxy-refused': {
      heading: 'The proxy refused the connection',
      advice: 'Nothing was sent. Ask your IT to let Sealdesk through to the service’s address.',
    },
    'proxy-login-needed': {
      heading: 'The proxy asks for a user name and password',
      advice: 'Nothing reached the service. Enter them in the connection, under More.',
    },
    'proxy-login-refused': {
      heading: 'The proxy rejected the user name or password',
      advice: 'Nothing reached the service. Enter them again in the connection, under More.',
    },
    'proxy-login-unsupported': {
      heading: 'The proxy asks for a Windows sign-in',
      advice:
        'Nothing reached the service. Sealdesk signs in with user name and password only (Basic, not NTLM or Negotiate). Ask your IT to let the service’s address through without signing in.',
    },
    'no-connect-in-time': {
      heading: 'Could not connect in time',
      advice: 'Nothing was sent. Try again, or allow more time in the connection’s settings.',
    },
    'reply-too-slow': {
      heading: 'The answer came too slowly',
      advice: 'Try again later. If it stays so slow, ask whoever runs the service.',
    },
    'no-progress-in-time': { heading: 'The transfer stalled', advice: 'Check the network, then try again.' },
    'no-answer-in-time': {
      heading: 'The service did not answer in time',
      advice: 'Try again later, or allow more time in the connection’s settings.',
    },
    'html-page': {
      heading: 'A web page came instead of an answer',
      advice: 'Check the address and path; a sign-in page of the network may be in between.',
    },
    redirected: {
      heading: 'Another address came instead of an answer',
      advice:
        'Not followed, to protect the credentials. A sign-in page of the network may be in between; if the service has moved and you trust the new address, enter it in the connection.',
    },
    'http-status': {
      heading: 'The service answered with an error status',
      advice: 'Check the path, or try again later.',
    },
    'unclear-answer': {
      heading: 'The answer names no document',
      advice: 'It may have been done. Read the answer, and check at the service before you send again.',
    },
    'early-reply': {
      heading: 'An answer came before the document was sent',
      advice: 'Something between here and the service may have answered.',
    },
    'empty-reply': { heading: 'An empty answer came', advice: 'Check the path, or try again later.' },
    'wrong-reply': {
      heading: 'The answer belongs to another operation',
      advice: 'Check the connection’s paths and namespace.',
    },
    'truncated-reply': { heading: 'The answer was cut off', advice: 'Check the network, then try again.' },
    'not-xml': { heading: 'The answer was not readable', advice: 'Check the connection’s address and path.' },
    'reply-too-large': { heading: 'The answer was too large', advice: 'Ask the service’s support.' },
    'soap-fault': { heading: 'The service reported an error', advice: 'See its answer below.' },
    'soap-action-missing': {
      heading: 'The service refuses the action or the namespace',
      advice:
        'Compare the namespace in the connection with the WSDL. If it is right, switch on “Send the action in SOAP 1.2”, or use SOAP 1.1.',
    },
    'negative-code': {
      heading: 'The service refused',
      advice: 'Its code and meaning are below.',
    },
    'no-document-in-reply': {
      heading: 'The service provided no document',
      advice: 'It may still be processing, or is not shared with you. Check its status first.',
    },
    'wsdl-unusable': {
      heading: 'Not a usable WSDL',
      advice: 'Check the address (often ending in ?wsdl) or choose another file.',
    },
    'port-in-use': { heading: 'The port is in use', advice: 'Close the other program that uses it, or restart.' },
    'keychain-unavailable': {
      heading: 'The system’s keychain cannot be used',
      advice: 'Credentials are kept until you quit.',
    },
    'secret-word-missing': {
      heading: 'The access code (secret word) is missing',
      advice: 'It is no longer stored. Nothing was sent. Enter it again.',
    },
    'sending-held': {
      heading: 'Sending is on hold',
      advice: 'Several in a row got no clear answer. This one was not sent. Decide on Start.',
    },
    'database-newer': {
      heading: 'The local records were written by a newer Sealdesk',
      advice: 'Use that version. Nothing was changed.',
    },
    'database-damaged': {
      heading: 'The local records are damaged',
      advice: 'Restore a backup, or restart Sealdesk to start with empty records.',
    },
    'database-unreadable': {
      heading: 'The local records cannot be read',
      advice: 'Check the permissions of the folder, then restart Sealdesk.',
    },
    'database-missing': {
      heading: 'The local records are missing',
      advice: 'Restore a backup, or restart Sealdesk to start with empty records.',
    },
    'database-moving': {
      heading: 'The local records are being moved',
      advice: 'Start Sealdesk: it finishes that first.',
    },
    managed: {
      heading: 'Managed by your organisation',
      advice: 'It cannot be changed or used here. Ask your IT department.',
    },
    'policy-broken': {
      heading: 'Your organisation’s policy cannot be read',
      advice: 'Nothing is sent to a service until it can. Ask your IT department.',
    },
    ...teamFailures,
  } satisfies Record<FailureDetail, FailureWords>,
  codeLabel: 'Code',
  noteLabel: 'Note',
  serviceCodeLabel: 'Service code',
  rawLabel: 'The service’s answer',
  referenceLabel: 'Reference',
  about: '{{subject}}: {{heading}}',
  codeMeaning: 'Code {{code}}: {{meaning}}.',
  codeSays: 'The service says: {{meaning}}.',
  codeUnknown: 'Code {{code}} is unknown.',
  seemsToBe: 'Not a PDF ({{kind}})',
} as const;
