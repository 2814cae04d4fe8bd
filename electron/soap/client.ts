import type { ConnectionSettings } from '../../contract/connections.ts';
import type { OperationName } from '../../contract/operation.ts';
import type { DocumentSink } from '../core/files/byte-sink.ts';
import type { Target } from '../core/files/place-file.ts';

/** What is fixed about a service while calls are made to it. */
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
    | 'extraCa'
    | 'timeouts'
  > {
  /** A PAC answer for the URL in use (`DIRECT`, `PROXY host:port`). */
  readonly proxy: string;
}

export interface Credentials {
  readonly apiKey: string;
  readonly apiSig: string;
}

/** A document on disk: read as a stream, never held whole. `sizeBytes` is what was announced; a different size on disk is file-changed. */
export interface DocumentSource {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Values by the interface's child names, without apiKey and apiSig. Undefined leaves the child out. */
export type Arguments = Readonly<Record<string, string | number | boolean | DocumentSource | undefined>>;

/** Who stands at the other end when a request leaves. */
export interface Peer {
  /** The address that is asked, without query. */
  readonly address: string;
  /** SHA-256 of the TLS certificate, hex with colons; null without TLS. */
  readonly certificateFingerprint: string | null;
  /** Organisation or name of who issued it; null without TLS, empty where it names none. */
  readonly certificateIssuer: string | null;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Bytes of the request body given to the socket so far. */
  readonly onSent?: (sentBytes: number, totalBytes: number) => void;
  /** Bytes of the reply body so far; total null where no Content-Length came. */
  readonly onReceived?: (receivedBytes: number, totalBytes: number | null) => void;
  /**
   * Just before the first byte of the request leaves: from here on an add may have been taken. Once for each time it leaves, which is twice where the
   * service turned the head away (417 to `Expect`) before a byte of the body.
   */
  readonly onDeparture?: (peer: Peer) => void;
  /** Once, when the first byte of an answer arrives. */
  readonly onAnswer?: () => void;
}

/** An operation's reply. Which of the fields is set follows from the operation's result type. */
export interface Reply {
  /** Text of <Operation>Result; null where the element is absent or nil. For a record: its children as text lines `Name: value`. */
  readonly raw: string | null;
  /** Children of the details record by the interface's names, as sent. */
  readonly record?: Readonly<Record<string, string>>;
}

/** How a reply is built: the service's own element names, and as little of its content as tells what it answered. */
export interface ReplyShape {
  /** False where <Operation>Result is absent or nil. */
  readonly hasResult: boolean;
  /** Text of the result itself, at most 2,000 characters. */
  readonly text: string;
  /** Names of elements beside the result. */
  readonly besides: readonly string[];
  /** Elements in the result with their text (empty for a list's entries), at most 100. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** Names of the elements in the first entry of a list that is not nil; null where none came. */
  readonly entry: readonly string[] | null;
}

/** Fields of one e-sign entry by the interface's names, as sent; null for a nil entry. */
export type RawESignEntry = Readonly<Record<string, string>> | null;

export interface DownloadReply {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Where the document is: another path than the target's where that one was taken. */
  readonly path: string;
}

export interface SoapClient {
  /** Any operation that answers a text or a record. Rejects with a Failing. */
  invoke(operation: OperationName, args: Arguments, options?: CallOptions): Promise<Reply>;
  /** Any operation that answers a text, a record or a list, for how its reply is built; of a list the first entry is read. */
  shape(operation: OperationName, args: Arguments, options?: CallOptions): Promise<ReplyShape>;
  /** GetESignList, in slices as they arrive. Answers how many entries there were. */
  listESign(
    listType: number,
    maxItems: number,
    onEntries: (entries: readonly RawESignEntry[]) => void | Promise<void>,
    options?: CallOptions,
  ): Promise<number>;
  /** GetDocument into a new file, by way of a temporary file beside it. Replaces nothing but what the target allows, and that when all is there. */
  download(documentId: string, target: Target, options?: CallOptions): Promise<DownloadReply>;
  /** GetDocument into a sink; the last bytes may still be in its buffer when this resolves. */
  receive(documentId: string, sink: DocumentSink, options?: CallOptions): Promise<void>;
  /** Ends kept connections. */
  close(): void;
}

export type CreateSoapClient = (target: ServiceTarget, credentials: Credentials | null) => SoapClient;
