/** The state of the service, which is also the content of its journal. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly credits: Credits;
  readonly permissions: Permissions;
}

export interface Signer {
  readonly name: string;
  readonly email: string;
}

/** A request for signatures on a document. */
export interface SignRequest {
  /** In the order of the request; the owner first if the owner signs first. */
  readonly signers: readonly Signer[];
  readonly ownerFirst: boolean;
  readonly secretWord: string;
  /** Every other child as sent (XMLData, UniqueID, ElementsFromTemplateID…), stored without interpretation. */
  readonly passedThrough: Readonly<Record<string, string>>;
}

export interface StoredDocument {
  /** Upper-case GUID; looked up without regard to case. */
  readonly id: string;
  readonly ownerId: string;
  readonly operation: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly clientId: string | null;
  readonly pages: number | null;
  /** Of the document as it was sent. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Of the file sent to clients: the document followed by the seal. */
  readonly sealedSha256: string;
  readonly sealedBytes: number;
  readonly createdMs: number;
  readonly request: SignRequest | null;
  /** For a signed copy: the ID of its original. */
  readonly signedCopyOf: string | null;
}

export type JournalRecord =
  | { readonly event: 'account'; readonly account: Account }
  | { readonly event: 'document'; readonly document: StoredDocument; readonly cost: Partial<Credits> }
  | { readonly event: 'signed'; readonly documentId: string; readonly email: string; readonly atMs: number }
  | { readonly event: 'shared'; readonly documentId: string; readonly accountId: string }
  | {
      readonly event: 'note';
      readonly accountId: string;
      readonly message: string;
      readonly description: string | null;
      readonly atMs: number;
    };

/** One signer's part in a request: an entry of the e-sign list. */
export interface SignEntry {
  readonly documentId: string;
  readonly ownerId: string;
  readonly documentName: string | null;
  readonly signer: Signer;
  readonly secretWord: string;
  readonly createdMs: number;
  readonly signedMs: number | null;
}

/** Credits left in an account. Every add is charged when it is received. */
export interface Credits {
  /** creditType 1. */
  readonly document: number;
  /** creditType 2; a request for signatures takes two. */
  readonly prepaid: number;
  /** E-signature credits, one for each request of any kind. */
  readonly eSign: number;
  /** Quick notes. */
  readonly note: number;
  /** Identity checks. */
  readonly idVerify: number;
}

/** Permissions of an account; each missing one causes a refusal. */
export interface Permissions {
  /** False: every operation with credentials answers -184. */
  readonly apiAccess: boolean;
  /** False: both Easy Sign operations answer -180 (no subscription to the add-on). */
  readonly easySign: boolean;
  /** creditType 3: `none` -180, `ended` -181, `disabled` -183. */
  readonly subscription: 'active' | 'none' | 'ended' | 'disabled';
  /** True: creditType 2 answers -142. */
  readonly prepaidLocked: boolean;
  /** False: IDVerify answers -191. */
  readonly idVerify: boolean;
  /** False: XMLData answers -193. */
  readonly placement: boolean;
}
