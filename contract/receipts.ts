import { z } from 'zod';
import { call } from './call.ts';
import type { PdfSignatures } from './pdf-signatures.ts';
import { documentIdText, language, localId } from './text.ts';

/**
 * The program's own record of sending a document, not a certificate of the service. Times are those of this computer's clock. `checksum` detects
 * accidental changes of the receipt; it proves nothing against somebody who makes a new one.
 */
export interface Receipt {
  readonly kind: 'sealdesk-custody-receipt';
  /** 1: before `ownVerdict`. */
  readonly formatVersion: 1 | 2;
  /** Statement about the nature of a receipt, in English. */
  readonly nature: string;
  readonly file: { readonly name: string | null; readonly sizeBytes: number | null; readonly sha256: string | null };
  readonly document: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly clientReference: string;
  };
  readonly request: {
    readonly operation: string;
    /** Fields by the names of the interface, as sent; no credentials, secret word or content. */
    readonly fields: Readonly<Record<string, string>>;
  };
  /** ISO 8601, UTC; null if the time was not recorded. */
  readonly times: {
    readonly taken: string;
    readonly departed: string | null;
    readonly answerBegan: string | null;
    /** Null where the answer was lost. */
    readonly answered: string | null;
    /** When a person decided that the job became this document; null if nobody had to. */
    readonly matched: string | null;
  };
  readonly answer: {
    /** The service's answer. */
    readonly raw: string | null;
    /** True if the answer was lost and a person decided that the job became this document. */
    readonly isAcceptedByPerson: boolean;
  };
  /**
   * What the sent bytes themselves prove, as last examined on this computer before the receipt was written; null if they were not, or are no PDF. Absent
   * in version 1.
   */
  readonly ownVerdict?: { readonly examinedAt: string; readonly signatures: PdfSignatures } | null;
  /** All statuses that were answered, oldest first. */
  readonly statuses: readonly { readonly raw: string | null; readonly from: string; readonly to: string }[];
  /** The connection as it was when the document was sent. */
  readonly connection: {
    readonly name: string;
    readonly address: string;
    readonly namespaceUri: string;
    readonly soapVersion: string;
    /** SHA-256 of the service's TLS certificate, hex with colons; null without TLS. */
    readonly certificateFingerprint: string | null;
    readonly certificateIssuer: string | null;
  } | null;
  readonly program: {
    /** Name of the sender; null if it was not recorded. */
    readonly sentBy: string | null;
    readonly writtenBy: string;
    readonly writtenAt: string;
  };
  /** SHA-256 of everything above, as canonical JSON (keys sorted, no space). */
  readonly checksum: string;
}

export interface ReceiptCheck {
  readonly receipt: Receipt;
  /** False if the receipt was changed after the program wrote it. */
  readonly isIntact: boolean;
  /** `same`: the file has the size and the SHA-256 of the receipt. `no-hash`: the receipt has no hash. */
  readonly result: 'same' | 'different' | 'no-hash';
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export const receipts = {
  /**
   * Saves a receipt into a file that the person chooses; the PDF is in `language` and contains the JSON. Null if the person cancelled. Only for documents
   * sent from here (`jobId`); bad-input for others.
   */
  'receipts.save': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
    format: z.enum(['pdf', 'json']),
    language,
  })).answers<{ readonly fileName: string } | null>(),
  /**
   * Works offline. `receiptToken`: a receipt as JSON or PDF; bad-input (field receiptToken) if it is none. `fileToken`: the file to compare with the
   * receipt.
   */
  'receipts.check': call(() => ({ receiptToken: localId, fileToken: localId })).answers<ReceiptCheck>(),
};
