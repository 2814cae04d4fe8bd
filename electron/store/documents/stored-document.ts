export interface StoredDocument {
  readonly seq: number;
  readonly id: string;
  readonly connection_id: string;
  readonly document_id: string;
  readonly job_id: string | null;
  readonly name: string;
  readonly description: string;
  readonly client_id: string;
  readonly signers: string;
  readonly file_name: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly registered_at: string;
  readonly status_raw: string | null;
  readonly status_answer: string | null;
  readonly status_asked_at: string | null;
  readonly by_person: string | null;
  readonly by_computer: string | null;
}

/** SQL, of documents `d`: the service took the document, and nothing says under which ID. It stands under its job until that is known. */
export const hasNoId = 'd.document_id IS d.job_id';

/** A connection's id as one word of the search index. It begins with a character of the private use area, which no searched text contains. */
export function connectionWord(connectionId: string): string {
  return `\uE000${Buffer.from(connectionId).toString('hex')}`;
}
