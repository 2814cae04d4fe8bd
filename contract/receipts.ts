import { z } from 'zod';
import { call } from './call.ts';
import { documentIdText, localId } from './text.ts';

/**
 * What this program wrote down about sending a document: its own record, not a certificate of the service. Times are of this computer's
 * clock. `checksum` finds accidental changes of the receipt; it proves nothing against somebody who makes a new one.
 */
export interface Receipt {
  readonly kind: 'sealdesk-custody-receipt';
  readonly formatVersion: 1;
  /** What it is and what it is not, in English. */
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
    /** By the interface's names, as sent; no credentials, no secret word, no content. */
    readonly fields: Readonly<Record<string, string>>;
  };
  /** ISO 8601, UTC; null where it was not written down. */
  readonly times: {
    readonly taken: string;
    readonly departed: string | null;
    readonly answerBegan: string | null;
    readonly answered: string | null;
  };
  readonly answer: {
    /** The service's own words. */
    readonly raw: string | null;
    /** True where the answer was lost and a person decided that this is the document. */
    readonly isAcceptedByPerson: boolean;
  };
  /** Every status that was asked, oldest first. */
  readonly statuses: readonly { readonly raw: string | null; readonly from: string; readonly to: string }[];
  /** As it was when the document left. */
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
    /** That sent it; null where it was not written down. */
    readonly sentBy: string | null;
    readonly writtenBy: string;
    readonly writtenAt: string;
  };
  /** SHA-256 of everything above, as canonical JSON (keys sorted, no space). */
  readonly checksum: string;
}

export interface ReceiptCheck {
  readonly receipt: Receipt;
  /** False: the receipt is not as the program wrote it. */
  readonly isIntact: boolean;
  /** `same`: the file has the size and the SHA-256 of the receipt. `no-hash`: the receipt names none. */
  readonly result: 'same' | 'different' | 'no-hash';
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export const receipts = {
  /** Only for documents sent from here (`jobId`); bad-input for others. */
  'receipts.view': call(z.strictObject({ connectionId: localId, documentId: documentIdText })).answers<Receipt>(),
  /** Into a file that the person chooses; the PDF is in `language` and carries the JSON within. Null when the person cancelled. */
  'receipts.save': call(
    z.strictObject({
      connectionId: localId,
      documentId: documentIdText,
      format: z.enum(['pdf', 'json']),
      language: z.enum(['en', 'de']).default('en'),
    }),
  ).answers<{ readonly fileName: string } | null>(),
  /** Offline. `receiptToken`: a receipt as JSON or PDF; bad-input (field receiptToken) where it is none. `fileToken`: what it is to be about. */
  'receipts.check': call(z.strictObject({ receiptToken: localId, fileToken: localId })).answers<ReceiptCheck>(),
};
