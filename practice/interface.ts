/**
 * The interface as the practice service implements it, written a second time on purpose from the
 * specification alone, so that the service can contradict the program.
 */
export type ChildType = 'string' | 'int' | 'boolean' | 'base64';
export type ResultType = 'string' | 'base64' | 'list' | 'record';

export interface Operation {
  readonly name: OperationName;
  readonly path: 'main' | 'easy-sign';
  /** In the required order. */
  readonly children: readonly (readonly [name: string, type: ChildType])[];
  readonly result: ResultType;
}

const credentials = [
  ['apiKey', 'string'],
  ['apiSig', 'string'],
] as const;

const described = [
  ['DocumentName', 'string'],
  ['Description', 'string'],
  ['ClientID', 'string'],
] as const;

const easySignEnd = [
  ['AllowSignerElementAdd', 'boolean'],
  ['AdditionalImage', 'base64'],
  ['EnforceSigClick', 'boolean'],
  ['MessageToSigners', 'string'],
  ['CustomSubject', 'string'],
  ['IDVerify', 'boolean'],
  ['CCEmails', 'string'],
] as const;

const easySignSigners = [
  ...described,
  ['Emails', 'string'],
  ['Names', 'string'],
  ['ReqOwnerESign', 'boolean'],
  ['XMLData', 'string'],
] as const;

export const operationNames = [
  'GetVersion',
  'GetAuthToken',
  'AddNewDocument',
  'AddNewDocumentESign',
  'GetDocumentStatus',
  'GetDocument',
  'GetSchedule',
  'AddQuickNote',
  'GetESignList',
  'GetDocumentDetails',
  'ValidateDocument',
  'AddNewEasySignDocument',
  'AddNewEasySignTemplate',
] as const;
export type OperationName = (typeof operationNames)[number];

function main(name: OperationName, children: Operation['children'], result: ResultType = 'string'): Operation {
  return { name, path: 'main', children, result };
}

const byId: Operation['children'] = [...credentials, ['ServiceDocumentID', 'string']];

export const operations: readonly Operation[] = [
  main('GetVersion', []),
  main('GetAuthToken', credentials),
  main('AddNewDocument', [...credentials, ['Document', 'base64'], ['creditType', 'int'], ...described]),
  main('AddNewDocumentESign', [
    ...credentials,
    ['Document', 'base64'],
    ['creditType', 'int'],
    ...described,
    ['Emails', 'string'],
    ['ReqOwnerESign', 'boolean'],
    ['OwnerESignFirst', 'boolean'],
    ['SecretWord', 'string'],
  ]),
  main('GetDocumentStatus', byId),
  main('GetDocument', byId, 'base64'),
  main('GetSchedule', []),
  main('AddQuickNote', [...credentials, ['QuickNoteMessage', 'string'], ['description', 'string']]),
  main('GetESignList', [...credentials, ['ListType', 'int'], ['MaxItems', 'int']], 'list'),
  main('GetDocumentDetails', byId, 'record'),
  main('ValidateDocument', [...credentials, ['ServiceDocument', 'base64']]),
  {
    name: 'AddNewEasySignDocument',
    path: 'easy-sign',
    children: [
      ...credentials,
      ['Document', 'base64'],
      ...easySignSigners,
      ['ElementsFromTemplateID', 'string'],
      ['UniqueID', 'string'],
      ...easySignEnd,
    ],
    result: 'string',
  },
  {
    name: 'AddNewEasySignTemplate',
    path: 'easy-sign',
    children: [...credentials, ['TemplateID', 'string'], ...easySignSigners, ['UniqueID', 'string'], ...easySignEnd],
    result: 'string',
  },
];
