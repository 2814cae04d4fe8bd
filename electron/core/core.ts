import type { FileToken } from '../../contract/files.ts';
import type { Bridge } from '../../contract/index.ts';
import type { ESignEntry } from '../../contract/signatures.ts';
import type { ReportFormat, ReportProgress } from '../../contract/verify.ts';
import type { Language } from './foundation/language.ts';
import type { PreviewedFile } from './verify/previews.ts';

/** What createCore answers: the bridge for windows, and what only a host may do. */
export interface Core extends Bridge {
  /** A path the person chose or dropped becomes a token. Rejects with a Failing where nothing is there. */
  acceptPath(path: string): Promise<FileToken>;
  /** Bytes of a file without a path (mail clients, the browser) are spooled and become a token. */
  acceptStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<FileToken>;
  /** Files that came from outside the window: tells `files.arrived`. */
  arrive(paths: readonly string[]): Promise<void>;
  /** The bytes of a look that `preview.open` answered, for the host's own viewer. Null once they are not to be had any more. */
  previewedFile(token: string): Promise<PreviewedFile | null>;
  /**
   * GetAuthToken for a person who asked for the token itself (command line). Not part of the bridge: no window can
   * reach it.
   */
  authToken(connectionId: string): Promise<string | null>;
  /**
   * GetESignList, answered in the service's order and kept as the window's lists are (command line). Not part of the bridge: a list may be larger than what a window
   * takes at once. Rejects with a Failing.
   */
  readRequests(
    connectionId: string,
    listType: number,
    maxItems?: number,
  ): Promise<{ readonly entries: readonly ESignEntry[]; readonly nilEntries: number }>;
  /** Where the next download goes, chosen by a host that has no dialog (command line). Only with `mayReplace` a file that is there now is replaced. */
  downloadTo(
    connectionId: string,
    documentId: string,
    path: string,
    how?: { readonly mayReplace: boolean },
  ): Promise<{ readonly downloadId: string }>;
  /** Where the next report goes, chosen by a host that has no dialog (command line). Goes on in `verify.reportProgressed`. */
  reportTo(
    runId: string,
    format: ReportFormat,
    path: string,
    language: Language,
    how?: { readonly mayReplace: boolean },
  ): Promise<ReportProgress>;
  /** Lets running transfers end or breaks them off (they become waiting or in doubt), closes store and practice service. */
  close(): Promise<void>;
}
