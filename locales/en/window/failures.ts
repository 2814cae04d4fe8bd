import type { FailureCode, FailureDetail } from '../../../contract/failure.ts';

/** Heading: what happened. Advice: what to do. */
export interface FailureWords {
  readonly heading: string;
  readonly advice: string;
}

/** Texts for every kind of failure: a code or detail without a text does not compile. */
export const enFailures = {
  code: {
    'bad-input': { heading: 'Something typed in cannot be used', advice: 'Correct what is marked and try again.' },
    'not-found': {
      heading: 'It is not there any more',
      advice: 'It was removed or dismissed meanwhile. Go back to the list.',
    },
    'not-connected': {
      heading: 'The connection has no credentials',
      advice: 'Open Connections and type in the API key and signature from the service’s portal.',
    },
    'credentials-rejected': {
      heading: 'The service rejected the credentials',
      advice:
        'Open Connections and type in the API key and signature again, exactly as the service’s portal shows them.',
    },
    'service-refused': {
      heading: 'The service refused',
      advice: 'Its own words are below. Correct what it names, or ask the service’s support with the code.',
    },
    'service-unreachable': {
      heading: 'The service could not be reached',
      advice:
        'Nothing was sent. Check the network, then try again; Check connection in Connections shows where it stops.',
    },
    'service-timeout': {
      heading: 'The service took too long',
      advice: 'Try again later, or allow more time in the connection’s settings.',
    },
    'outcome-unknown': {
      heading: 'No answer came back',
      advice: 'It may or may not have been carried out. Look at the service before you send it again.',
    },
    'reply-unreadable': {
      heading: 'The answer was not one of this service',
      advice: 'Check the address and the paths of the connection.',
    },
    'file-unreadable': {
      heading: 'The file cannot be read',
      advice: 'Check that it still exists and that you may open it.',
    },
    'file-changed': {
      heading: 'The file was changed while it was being read',
      advice: 'Close it in other programs, then choose it again.',
    },
    cancelled: { heading: 'Cancelled', advice: 'Nothing more happens.' },
    'storage-full': { heading: 'The disk is full', advice: 'Free some space, then try again.' },
    'storage-busy': {
      heading: 'Another program is writing to the register',
      advice: 'Nothing was changed. Try again in a moment.',
    },
    'storage-unusable': {
      heading: 'Sealdesk’s own data could not be read or written',
      advice: 'Check that the disk is not write-protected, then restart Sealdesk.',
    },
    bug: {
      heading: 'Something unexpected happened',
      advice: 'Try again. If it happens again, give the reference below to support.',
    },
  } satisfies Record<FailureCode, FailureWords>,
  detail: {
    'file-missing': {
      heading: 'The file is not there any more',
      advice: 'It was moved, renamed or deleted. Choose it again.',
    },
    'file-denied': { heading: 'You may not open this file', advice: 'Ask its owner for permission to read it.' },
    'file-locked': { heading: 'Another program holds this file', advice: 'Close it there, then try again.' },
    'file-empty': { heading: 'The file is empty', advice: 'It holds no bytes at all. Choose another.' },
    'file-is-folder': { heading: 'This is a folder', advice: 'Drop it, or choose it with “Choose a folder…”.' },
    'file-not-pdf': { heading: 'Not a PDF', advice: 'The service registers PDF only. Save it as PDF first.' },
    'file-encrypted': { heading: 'The PDF is encrypted', advice: 'Save a copy without password protection first.' },
    'target-not-writable': { heading: 'The file cannot be written there', advice: 'Choose another folder.' },
    'drive-error': { heading: 'The drive reports an error', advice: 'Check the drive, then try again.' },
    'too-many-open-files': {
      heading: 'Too many files are open on this computer',
      advice: 'Close other programs, then try again.',
    },
    'data-folder-denied': {
      heading: 'Sealdesk may not write into its own data folder',
      advice: 'Check its permissions, and that the disk is not write-protected.',
    },
    'target-exists': {
      heading: 'There is a file of this name already',
      advice: 'It was left as it is. Save again under another name.',
    },
    'path-too-long': {
      heading: 'The path is too long for this computer',
      advice: 'Move the file into a folder nearer to the top, or shorten the names of its folders.',
    },
    'file-special': {
      heading: 'This is a device or a pipe, not a file',
      advice: 'Choose a file.',
    },
    'name-not-resolved': {
      heading: 'The service’s address is not known to the network',
      advice: 'Nothing was sent. Check the address for typing errors and the network connection.',
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
      heading: 'No secure connection could be made',
      advice: 'Nothing was sent. The service may be too old or a device in between interferes.',
    },
    'proxy-failed': {
      heading: 'The proxy did not let it through',
      advice: 'Nothing was sent. Check the proxy in the connection’s settings.',
    },
    'no-connect-in-time': {
      heading: 'No connection in time',
      advice: 'Nothing was sent. Try again, or allow more time in the connection’s settings.',
    },
    'no-progress-in-time': { heading: 'The transfer stood still', advice: 'Check the network, then try again.' },
    'no-answer-in-time': {
      heading: 'The service did not answer in time',
      advice: 'Try again later, or allow more time in the connection’s settings.',
    },
    'html-page': {
      heading: 'A web page came instead of an answer',
      advice: 'Check the address and path; a sign-in page of the network may be in between.',
    },
    redirected: {
      heading: 'The service sent us to another address',
      advice:
        'This is not followed, to protect the credentials. Type the new address into the connection if you trust it.',
    },
    'http-status': {
      heading: 'The service answered with an error status',
      advice: 'Check the path, or try again later.',
    },
    'early-reply': {
      heading: 'An answer came before the document was sent',
      advice: 'Something between here and the service may have answered. Check there.',
    },
    'empty-reply': { heading: 'An empty answer came', advice: 'Check the path, or try again later.' },
    'wrong-reply': {
      heading: 'The answer belongs to another operation',
      advice: 'Check the paths and the namespace of the connection.',
    },
    'truncated-reply': { heading: 'The answer was cut off', advice: 'Check the network, then try again.' },
    'not-xml': { heading: 'The answer was not readable', advice: 'Check the address and path of the connection.' },
    'reply-too-large': { heading: 'The answer was too large', advice: 'Ask the service’s support.' },
    'soap-fault': { heading: 'The service reported an error', advice: 'Its own words are below.' },
    'soap-action-missing': {
      heading: 'The service needs the action in SOAP 1.2',
      advice: 'Switch on “Send the action in SOAP 1.2” in the connection, or use SOAP 1.1.',
    },
    'negative-code': {
      heading: 'The service refused',
      advice: 'It answered with a code. See below what it stands for.',
    },
    'no-document-in-reply': {
      heading: 'The service handed out no document',
      advice: 'It may still be processing, or it is not shared with you. Ask for the status first.',
    },
    'wsdl-unusable': {
      heading: 'This is no usable WSDL',
      advice: 'Check the address (often ending in ?wsdl) or choose another file.',
    },
    'port-in-use': { heading: 'The port is in use', advice: 'Close the other program that uses it, or restart.' },
    'keychain-unavailable': {
      heading: 'The system’s keychain cannot be used',
      advice: 'Credentials are kept for this run only.',
    },
    'secret-word-missing': {
      heading: 'The access code (secret word) is missing',
      advice: 'It is not stored any more. Nothing was sent. Type it in again.',
    },
    'sending-held': {
      heading: 'Sending is on hold',
      advice: 'Several documents in a row got no answer. Nothing of this one was sent. Decide in Activity.',
    },
    'database-newer': {
      heading: 'The register was written by a newer Sealdesk',
      advice: 'Use that version. Nothing was changed.',
    },
    'database-damaged': {
      heading: 'The register is damaged',
      advice: 'Put back a copy of it, or restart Sealdesk to start an empty one.',
    },
    'database-unreadable': {
      heading: 'The register cannot be read',
      advice: 'Check the permissions of the folder, then restart Sealdesk.',
    },
    'database-missing': {
      heading: 'The register is gone',
      advice: 'Put back a copy of it, or restart Sealdesk to start an empty one.',
    },
    'database-moving': {
      heading: 'The register is being moved',
      advice: 'Start Sealdesk: it finishes that first.',
    },
  } satisfies Record<FailureDetail, FailureWords>,
  codeLabel: 'Code',
  noteLabel: 'Note',
  serviceCodeLabel: 'Service code',
  rawLabel: 'The service’s words',
  referenceLabel: 'Reference',
  about: '{{subject}}: {{heading}}',
  codeMeaning: 'Code {{code}}: {{meaning}}.',
  codeUnknown: 'Code {{code}} is not in the table.',
  seemsToBe: 'Not a PDF ({{kind}})',
} as const;
