import { CertificateBag } from './find-paths.ts';
import type { PathCertificate } from './path-certificate.ts';

/** A certificate that is trusted: an authority for all that it certifies, any other for itself. */
export interface TrustedCertificate {
  readonly bytes: Uint8Array;
  readonly purpose: 'any' | 'signatures' | 'timestamps';
  /** When it was so, in UTC to the second; null: always. */
  readonly granted: readonly { readonly from: string; readonly until: string | null }[] | null;
}

export interface TrustedList {
  readonly by: 'organisation' | 'list';
  readonly name: string;
  /** When it was made; null where nobody says it. */
  readonly date: string | null;
  readonly certificates: readonly TrustedCertificate[];
}

/** Whom this computer knows: data that the main process read. */
export interface KnownSigners {
  readonly lists: readonly TrustedList[];
  /** One English sentence where a list is missing or cannot be read. */
  readonly problem: string | null;
}

export const nobody: KnownSigners = { lists: [], problem: null };

export interface Trusted {
  readonly list: TrustedList;
  readonly entry: TrustedCertificate;
}

export interface KnownIndex extends KnownSigners {
  named(subject: string): readonly { readonly trusted: Trusted; readonly certificate: PathCertificate }[];
}

/** By their subjects, read when they are first asked for. */
export function indexSigners(known: KnownSigners): KnownIndex {
  let index: ReadonlyMap<string, ReturnType<KnownIndex['named']>> | undefined;
  const read = () => {
    const made = new Map<string, ReturnType<KnownIndex['named']>>();
    for (const list of known.lists)
      for (const entry of list.certificates) {
        const certificate = new CertificateBag().add(entry.bytes);
        const { subjectKey } = certificate ?? {};
        if (certificate && subjectKey !== undefined)
          made.set(subjectKey, [...(made.get(subjectKey) ?? []), { trusted: { list, entry }, certificate }]);
      }
    return made;
  };
  return {
    ...known,
    named: (subject) => {
      index ??= read();
      return index.get(subject) ?? [];
    },
  };
}
