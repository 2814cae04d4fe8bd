import type { Hash } from 'node:crypto';
import type { ConnectionSettings } from '../../../contract/connections.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { Target } from '../../core/files/place-file.ts';
import type { DocumentSink } from '../../core/files/target-file.ts';
import type { Peer } from '../trust/trust.ts';
import type { RouteTarget } from '../wire/network-route.ts';

/** The settings of a service that stay fixed during its calls. */
export interface ServiceTarget
  extends Pick<
      ConnectionSettings,
      | 'baseUrl'
      | 'mainPath'
      | 'easySignPath'
      | 'namespaceUri'
      | 'soapVersion'
      | 'easySignSoapVersion'
      | 'soapAction12'
      | 'sendFalse'
      | 'elementNames'
    >,
    RouteTarget {
  readonly timeouts: ConnectionSettings['timeouts'];
  /** The language in which a person wants to read the service's faults; English unless given. */
  readonly language?: string;
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSig: string;
}

/** A document on disk, read as a stream, never held whole. A file of another size or with other bytes is file-changed: its last block never leaves. */
export interface DocumentSource {
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex; of a file that is still being written, that file knows it. */
  readonly sha256: string | GrowingFile;
}

/** A file that is sent while it is written. Before all of it is ready no whole request can leave, so the call has not departed. */
export interface GrowingFile {
  /** Where it is until it is complete; then it has its own path. */
  readonly path: string;
  /** Resolves when so many of its bytes can be read; undefined if they can. */
  has(bytes: number): Promise<void> | undefined;
  /** Resolves when the request may be complete, if the bytes that were read have this SHA-256. Rejects with an AppError that says why it must never be. `over` is aborted when nothing more will be sent. */
  whole(sha256: string, over: AbortSignal): Promise<void>;
  /** Bytes from this position on, of a number that 3 divides, that are still in memory, never the last ones; null if none are. They stay as they are until `done`. */
  take(position: number): Block | null;
}

/** Bytes of a document, and what tells that they are no longer needed. */
export interface Block {
  readonly bytes: Buffer;
  readonly done: () => void;
  /** Of these very bytes in memory: SHA-256 of all before them, and of all up to their end. */
  readonly hashes?: { readonly before: Hash; readonly after: Hash } | undefined;
}

/** Values by the interface's child names, without apiKey and apiSig. Undefined leaves the child out. */
export type Arguments = Readonly<Record<string, string | number | boolean | DocumentSource | undefined>>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Bytes of the request body given to the socket so far. */
  readonly onSent?: (sentBytes: number, totalBytes: number) => void;
  /** Bytes of the reply body so far; total is null without a Content-Length. */
  readonly onReceived?: (receivedBytes: number, totalBytes: number | null) => void;
  /**
   * Called before the first byte of the request leaves, which waits for it: from here on the service may have carried out an add, unless a file of it is still
   * being written. Must not reject.
   * Called twice if the service refused the head (417 to `Expect`) before a byte of the body left.
   */
  readonly onDeparture?: (peer: Peer) => void | Promise<void>;
  /** Called once, when the first byte of an answer arrives. */
  readonly onAnswer?: () => void;
  /** Called before the answer is read with the time by the service's clock, milliseconds since 1970, if the answer names it. */
  readonly onServiceTime?: (ms: number) => void;
}

/** An operation's reply. The operation's result type decides which fields are set. */
export interface Reply {
  /** Text of <Operation>Result; null if the element is absent or nil. For a record: its children as text lines `Name: value`. */
  readonly raw: string | null;
  /** Children of the details record by the interface's names, as sent. */
  readonly record?: Readonly<Record<string, string>>;
  /** The name of the only element in the reply, if it was read although it is not called <Operation>Result. */
  readonly resultName?: string;
}

/** What was odd about a reply that was read all the same. */
export interface ReplyRemark {
  /** Renamed: the only element in the reply (`name`) was read as the result. Characters: some that XML forbids were replaced. Surplus: of an element that was there twice the last was read, or a text beside elements was not. */
  readonly kind: 'reply-renamed' | 'reply-characters' | 'reply-surplus';
  readonly operation: OperationName;
  readonly name?: string;
}

/** The structure of a reply: the service's own element names, and only as much content as shows its answer. */
export interface ReplyShape {
  /** False if <Operation>Result is absent or nil. */
  readonly hasResult: boolean;
  /** Text of the result itself, at most 2,000 characters. */
  readonly text: string;
  /** Names of elements beside the result. */
  readonly besides: readonly string[];
  /** Elements in the result with their text (empty for a list's entries), at most 100. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** Names of the elements in the first entry of a list that is not nil; null if there is none. */
  readonly entry: readonly string[] | null;
}

/** Fields of one e-sign entry by the interface's names, as sent; null for a nil entry. */
export type RawESignEntry = Readonly<Record<string, string>> | null;

export interface DownloadReply {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Path of the document; differs from the target's path if that one was taken. */
  readonly path: string;
}

export interface SoapClient {
  /** Calls any operation that answers a text or a record. Rejects with an AppError. */
  invoke(operation: OperationName, args: Arguments, options?: CallOptions): Promise<Reply>;
  /** Calls any operation that answers a text, a record or a list, for the structure of its reply; of a list only the first entry is read. */
  shape(operation: OperationName, args: Arguments, options?: CallOptions): Promise<ReplyShape>;
  /** Calls GetESignList and passes on entries in slices as they arrive, at most `maxItems` of them if that is positive. Resolves with the number of entries. */
  listESign(
    listType: number,
    maxItems: number,
    onEntries: (entries: readonly RawESignEntry[]) => void | Promise<void>,
    options?: CallOptions,
  ): Promise<number>;
  /** Calls GetDocument and writes the document to a temporary file, which becomes the target when it is complete. Replaces only what the target allows. */
  download(documentId: string, target: Target, options?: CallOptions): Promise<DownloadReply>;
  /** Calls GetDocument and writes the document to a sink; its buffer may still hold the last bytes when this resolves. */
  receive(documentId: string, sink: DocumentSink, options?: CallOptions): Promise<void>;
  /** Closes keep-alive connections. */
  close(): void;
}
