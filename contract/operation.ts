/** The operations of the interface, spelled as there (4.2, 4.3). */
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

/** The operation that sends each kind of signature request. */
export const requestOperations = {
  plain: 'AddNewDocumentESign',
  'easy-sign': 'AddNewEasySignDocument',
  'easy-sign-template': 'AddNewEasySignTemplate',
} as const satisfies Readonly<Record<string, OperationName>>;
