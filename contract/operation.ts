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

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A document ID as people read it. Services write the same ID in capitals here and in small letters there; both mean one document. */
export const idText = (id: string): string => (guid.test(id) ? id.toUpperCase() : id);
