import { emailKey } from '../../../contract/email.ts';
import type { PdfSignature } from '../../../contract/pdf-signatures.ts';
import type { AskedAndFound, AskedSigner } from '../../../contract/verify-result.ts';
import type { Store } from '../../store/store.ts';

/** People of a request who are shown; a request has few. */
const mostAsked = 50;

/**
 * Makes a function that says who was asked to sign the first of these documents that anybody was asked to sign, beside the signatures of a file; null if nobody
 * was. It reads the connections once.
 */
export function askedAndFound({ requests, connections }: Pick<Store, 'requests' | 'connections'>) {
  let rows: ReturnType<typeof connections.all> | null = null;
  const peopleOf = (connectionId: string, documentId: string): Person[] => {
    rows ??= connections.all();
    const settings = rows.find(({ id }) => id === connectionId)?.settings;
    return requests
      .asked(connectionId, documentId, settings?.separator ?? ';')
      .map(({ name, email }) => ({ name, email: email || (settings?.ownerEmail ?? '') }))
      .slice(0, mostAsked);
  };
  return (
    sources: readonly { readonly connectionId: string; readonly documentId: string | null }[],
    signatures: readonly PdfSignature[],
  ): AskedAndFound | null => {
    for (const { connectionId, documentId } of sources) {
      if (documentId === null) continue;
      const people = peopleOf(connectionId, documentId);
      if (people.length > 0) return { documentId, ...compare(people, signatures) };
    }
    return null;
  };
}

function compare(people: readonly Person[], signatures: readonly PdfSignature[]): Omit<AskedAndFound, 'documentId'> {
  const persons = signatures.filter(({ level }) => level !== 'timestamp');
  const fitting = persons.filter(({ integrity }) => integrity === 'intact');
  const { asked, matched } = match(people, fitting);
  const others = persons.filter((one) => !matched.has(one)).map(({ signer, statedName }) => signer ?? statedName ?? '');
  const isSealed = persons.length === 1 && fitting.length === 1 && matched.size === 0;
  return { asked, others, isSealed };
}

type Person = Pick<AskedSigner, 'name' | 'email'>;
const reasons = ['email', 'name', 'stated'] as const;

/** What a signature says about who it is of, as it is compared. */
const keysOf: Readonly<Record<(typeof reasons)[number], (signature: PdfSignature) => string[]>> = {
  email: ({ emails }) => emails.map(emailKey),
  name: ({ signer }) => [nameKey(signer)],
  stated: ({ statedName }) => [nameKey(statedName)],
};

/** Addresses decide first, then names. A name that several people or signatures have decides nothing. */
function match(people: readonly Person[], signatures: readonly PdfSignature[]) {
  const found = new Map<Person, AskedSigner['found']>();
  const matched = new Set<PdfSignature>();
  for (const reason of reasons)
    for (const signature of signatures) {
      if (matched.has(signature)) continue;
      const keys = keysOf[reason](signature).filter((key) => key !== '');
      const fits = people.filter((one) => keys.includes(reason === 'email' ? emailKey(one.email) : nameKey(one.name)));
      const isShared = signatures.filter((one) => keysOf[reason](one).some((key) => keys.includes(key))).length > 1;
      const person = fits.find((one) => !found.has(one));
      if (!person || (reason !== 'email' && (fits.length > 1 || isShared))) continue;
      found.set(person, reason);
      matched.add(signature);
    }
  return { asked: people.map((one) => ({ ...one, found: found.get(one) ?? null })), matched };
}

/** Names that differ only in case, spaces or how a letter is composed are one. */
function nameKey(name: string | null): string {
  return (name ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
