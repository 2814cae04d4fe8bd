import type { DownloadTask } from '../../contract/documents.ts';
import type { FileToken } from '../../contract/files.ts';
import type { Bridge } from '../../contract/index.ts';
import type { Language } from '../../contract/languages.ts';
import type { ReportFormat, ReportTask } from '../../contract/verify.ts';
import type { ScanResult } from './files/scan-files.ts';
import type { EntrySink } from './signatures/tracking/refresh-list.ts';
import type { PreviewedFile } from './verify/previews.ts';

/** The application: the bridge for windows, and functions for the host alone. */
export interface Core extends Bridge {
  /** Makes a token for a path that the person chose or dropped. Rejects with an AppError if nothing is there. */
  acceptPath(path: string): Promise<FileToken>;
  /** What `files.scan` found, with the paths (command line). Throws not-found. */
  foundFiles(intakeId: string): Pick<ScanResult, 'files' | 'skipped'>;
  /** Spools the bytes of a file without a path (mail clients, the browser) and makes a token for it. */
  acceptStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<FileToken>;
  /** Emits `files.arrived` for files that came from outside the window. */
  arrive(paths: readonly string[]): Promise<void>;
  /** The bytes of a preview that `preview.open` answered, for the host's own viewer. Null once they are no longer available. */
  previewedFile(token: string): Promise<PreviewedFile | null>;
  /**
   * GetAuthToken for a person who asked for the token itself (command line). Not part of the bridge: no window can
   * reach it.
   */
  authToken(connectionId: string): Promise<string>;
  /**
   * GetESignList, passed on in the service's order as it arrives and stored like the window's lists (command line). The entries count only if it resolves. Not
   * part of the bridge: a list may be larger than a window can take at once. Rejects with an AppError.
   */
  readRequests(
    connectionId: string,
    listType: number,
    sink: EntrySink,
    maxItems?: number,
  ): Promise<{ readonly total: number; readonly nilEntries: number }>;
  /** Downloads to a path chosen by a host that has no dialog (command line). An existing file is replaced only with `mayReplace`. */
  downloadTo(
    connectionId: string,
    documentId: string,
    path: string,
    how?: { readonly mayReplace: boolean },
  ): Promise<DownloadTask>;
  /** Writes a report to a path chosen by a host that has no dialog (command line). */
  reportTo(
    runId: string,
    format: ReportFormat,
    path: string,
    language: Language,
    how?: { readonly mayReplace: boolean },
  ): Promise<ReportTask>;
  /** Finishes or aborts running transfers (aborted ones become waiting or in doubt), then closes the store and the practice service. */
  close(): Promise<void>;
}
