/** What leaves the program as a file, as a policy allows or forbids it. */
export const exportNames = [
  'exportLists',
  'exportReports',
  'exportReceipts',
  'exportDiagnostics',
  'saveDocuments',
] as const;
export type ExportName = (typeof exportNames)[number];

/** The calls that write such a file. */
export const exportOf = {
  'documents.saveBatch': 'exportLists',
  'tracking.export': 'exportLists',
  'bulk.saveResults': 'exportLists',
  'people.export': 'exportLists',
  'answers.export': 'exportLists',
  'templates.export': 'exportLists',
  'verify.saveReport': 'exportReports',
  'receipts.save': 'exportReceipts',
  'diagnostics.save': 'exportDiagnostics',
  'documents.download': 'saveDocuments',
  'documents.downloadAll': 'saveDocuments',
} as const satisfies Readonly<Record<string, ExportName>>;

export type ExportCall = keyof typeof exportOf;
