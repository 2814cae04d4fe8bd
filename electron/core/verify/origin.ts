import type { EarlierRevision } from '../../../contract/verify-result.ts';
import type { Store } from '../../store/store.ts';
import type { StoredFile, StoredRun } from '../../store/verify/verify-rows.ts';
import { storedSignaturesOf } from './stored-signatures.ts';

/**
 * The longest beginning of a file that is, byte for byte, a file of the register (the team's documents are in it too) or of an own download. It proves where the file comes from,
 * not that what was added is harmless.
 */
export function originOf(
  store: Pick<Store, 'documents' | 'downloads'>,
  { connection_id }: StoredRun,
  row: StoredFile,
): EarlierRevision | null {
  const stored = storedSignaturesOf(row);
  for (const { length, sha256 } of stored?.prefixes.toReversed() ?? []) {
    const registered = store.documents.knownBySha256(sha256, connection_id);
    const downloaded = store.downloads.bySha256(sha256, connection_id, 1)[0] ?? null;
    if (!registered && !downloaded) continue;
    const after = stored?.answer?.signatures.filter(({ coversTo }) => coversTo === null || coversTo > length) ?? [];
    return { sizeBytes: length, sha256, registered, downloaded, signaturesAfter: after.length };
  }
  return null;
}
