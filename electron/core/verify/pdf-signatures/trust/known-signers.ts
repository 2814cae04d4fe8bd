import { readElement } from '../cms/asn1.ts';
import { readCertificate } from '../cms/certificates.ts';
import { orNull } from '../doubt.ts';
import { keyOf, readName } from './names.ts';
import { type PathCertificate, readPathCertificate } from './path-certificate.ts';

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

/** By their subjects alone, when one is first asked for; a list of the EU has thousands, of which a file needs a few. */
export function indexSigners(known: KnownSigners): KnownIndex {
  let index: ReadonlyMap<string, readonly Trusted[]> | undefined;
  const read = () => {
    const made = new Map<string, Trusted[]>();
    for (const list of known.lists)
      for (const entry of list.certificates) {
        const subject = orNull(() => keyOf(readName(readCertificate(readElement(entry.bytes)).subject.bytes)));
        if (subject !== null) made.set(subject, [...(made.get(subject) ?? []), { list, entry }]);
      }
    return made;
  };
  return {
    ...known,
    named: (subject) => {
      index ??= read();
      return (index.get(subject) ?? []).flatMap((trusted) => {
        const certificate = orNull(() => readPathCertificate(trusted.entry.bytes));
        return certificate ? [{ trusted, certificate }] : [];
      });
    },
  };
}
