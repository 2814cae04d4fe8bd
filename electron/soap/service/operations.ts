import type { OperationName } from '../../../contract/operation.ts';
import type { ServiceTarget } from './client.ts';

export type ChildType = 'string' | 'int' | 'boolean' | 'base64Binary';

/** Content of <Operation>Result: one text, the bytes of a document, the record of 2.3, or the array of 2.3a. */
export type ResultType = 'string' | 'base64Binary' | 'details' | 'esign-list';

export interface Child {
  /** The interface's own name; the connection's table holds its name on the wire. */
  readonly name: string;
  readonly type: ChildType;
  readonly required: boolean;
}

export interface Operation {
  readonly path: 'main' | 'easy-sign';
  /** True where apiKey and apiSig are the first two children. */
  readonly credentials: boolean;
  /** The children after the credentials, in the order on the wire. */
  readonly children: readonly Child[];
  readonly result: ResultType;
  /**
   * An add costs a credit and may mail people: sent over a fresh connection, never sent twice by the program. A paid read may cost something too, by contract: it is not
   * repeated by itself once the service may have all of it.
   */
  readonly effect: 'read' | 'paid-read' | 'add';
}

/**
 * `Name:type` for an optional child, `Name:type!` for a required one. The interface does not show which of Easy Sign's children are
 * required, so none is.
 */
function children(row: string): readonly Child[] {
  const words = row.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const [name = '', type = ''] = word.replace('!', '').split(':');
    return { name, type: (type || 'string') as ChildType, required: word.endsWith('!') };
  });
}

function row(
  path: Operation['path'],
  effect: Operation['effect'],
  result: ResultType,
  list: string,
  credentials = true,
): Operation {
  return { path, effect, result, credentials, children: children(list) };
}

/**
 * The whole interface (4.2, 4.3). The client's WSDL, the order of children, the checks of arguments, the choice of path
 * and the reading of replies all use this table: another operation is one row and its name in contract/operation.ts.
 * Types are as in the interface; a child without a type is a string.
 */
export const operations: Readonly<Record<OperationName, Operation>> = {
  GetVersion: row('main', 'read', 'string', '', false),
  GetAuthToken: row('main', 'read', 'string', ''),
  AddNewDocument: row(
    'main',
    'add',
    'string',
    'Document:base64Binary creditType:int! DocumentName Description ClientID',
  ),
  AddNewDocumentESign: row(
    'main',
    'add',
    'string',
    `Document:base64Binary creditType:int! DocumentName Description ClientID Emails
     ReqOwnerESign:boolean! OwnerESignFirst:boolean! SecretWord`,
  ),
  GetDocumentStatus: row('main', 'read', 'string', 'ServiceDocumentID'),
  GetDocument: row('main', 'read', 'base64Binary', 'ServiceDocumentID'),
  GetSchedule: row('main', 'read', 'string', '', false),
  AddQuickNote: row('main', 'add', 'string', 'QuickNoteMessage description'),
  GetESignList: row('main', 'read', 'esign-list', 'ListType:int! MaxItems:int!'),
  GetDocumentDetails: row('main', 'read', 'details', 'ServiceDocumentID'),
  ValidateDocument: row('main', 'paid-read', 'string', 'ServiceDocument:base64Binary'),
  AddNewEasySignDocument: row(
    'easy-sign',
    'add',
    'string',
    `Document:base64Binary DocumentName Description ClientID Emails Names ReqOwnerESign:boolean XMLData
     ElementsFromTemplateID UniqueID AllowSignerElementAdd:boolean AdditionalImage:base64Binary EnforceSigClick:boolean
     MessageToSigners CustomSubject IDVerify:boolean CCEmails`,
  ),
  AddNewEasySignTemplate: row(
    'easy-sign',
    'add',
    'string',
    `TemplateID DocumentName Description ClientID Emails Names ReqOwnerESign:boolean XMLData UniqueID
     AllowSignerElementAdd:boolean AdditionalImage:base64Binary EnforceSigClick:boolean MessageToSigners CustomSubject
     IDVerify:boolean CCEmails`,
  ),
};

const credentialChildren: readonly Child[] = children('apiKey apiSig');

/** Every child of an operation in the order on the wire, credentials first if it takes them. */
export function childrenOf(operation: OperationName): readonly Child[] {
  const { credentials, children: own } = operations[operation];
  return credentials ? [...credentialChildren, ...own] : own;
}

/** Fields of the details record (2.3), in order. */
export const detailsFields = [
  'DocumentName',
  'CreatedDate',
  'Description',
  'ClientID',
  'Pages',
  'OriginalDocumentName',
  'Errors',
] as const;

/** Fields of an entry of the e-sign list (2.3a), in order. */
export const eSignFields = [
  'DocumentName',
  'CreatedDate',
  'ServiceDocumentID',
  'OrigServiceDocumentID',
  'Email',
  'SecretWord',
  'Name',
] as const;

/** The SOAP version in which an operation is called: the two paths of a service may speak different ones. */
export function soapVersionFor(
  { soapVersion, easySignSoapVersion }: Pick<ServiceTarget, 'soapVersion' | 'easySignSoapVersion'>,
  operation: OperationName,
): ServiceTarget['soapVersion'] {
  const isMain = operations[operation].path === 'main' || easySignSoapVersion === 'main';
  return isMain ? soapVersion : easySignSoapVersion;
}
