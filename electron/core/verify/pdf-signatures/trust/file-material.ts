import { type Element, oid, readAs, readElement, readOid, readSequence, tags } from '../cms/asn1.ts';
import type { SignedData } from '../cms/signed-data.ts';
import { orNull } from '../doubt.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind, type PdfDictionary } from '../structure/pdf-values.ts';
import { CertificateBag } from './find-paths.ts';
import type { RevocationData } from './revocation.ts';
import { readRevocationAnswer } from './revocation-answers.ts';
import { readRevocationList } from './revocation-lists.ts';

export type FileMaterial = RevocationData & { readonly bag: CertificateBag };

/** Honest files hold a few of each; the rest is not looked at. */
const most = { objects: 1_000, lists: 100, answers: 200, bytes: 16 * 1024 * 1024 };
const archivalOid = oid('1.2.840.113583.1.1.8');
const ocspOid = oid('1.3.6.1.5.5.7.16.2');

export const noMaterial = (): FileMaterial => ({ bag: new CertificateBag(), lists: [], answers: [] });

/** What a file holds to check its own signers with: in the signatures and their timestamps, and in the newest document security store. What cannot be read is left out. */
export function readMaterial(document: PdfDocument, signed: readonly SignedData[]): FileMaterial {
  const bag = new CertificateBag();
  const [lists, addList] = collect(readRevocationList, most.lists);
  const [answers, addAnswer] = collect(readRevocationAnswer, most.answers);
  for (const { certificates, revocation, signer } of signed) {
    for (const { bytes } of certificates) bag.add(bytes);
    for (const one of revocation) {
      if (one.tag === tags.sequence) addList(one.bytes);
      const [type, answer] = one.tag === 0xa1 ? (orNull(() => readAs(0xa1, one)) ?? []) : [];
      if (type && answer && orNull(() => readOid(type)) === ocspOid) addAnswer(answer.bytes);
    }
    for (const value of signer.signed.get(archivalOid) ?? [])
      for (const part of orNull(() => readSequence(value)) ?? [])
        for (const { bytes } of orNull(() => readSequence(readAs(part.tag, part)[0])) ?? [])
          if (part.tag === 0xa0) addList(bytes);
          else if (part.tag === 0xa1) addAnswer(bytes);
  }
  readStore(document, [
    [['Certs', 'Cert'], (bytes) => void bag.add(bytes)],
    [['CRLs', 'CRL'], addList],
    [['OCSPs', 'OCSP'], addAnswer],
  ]);
  return { bag, lists, answers };
}

function collect<Value>(read: (element: Element) => Value | null, atMost: number) {
  const found: Value[] = [];
  const add = (bytes: Uint8Array) => {
    const one = found.length < atMost ? orNull(() => read(readElement(bytes))) : null;
    if (one) found.push(one);
  };
  return [found, add] as const;
}

type StoreKind = readonly [names: readonly string[], add: (bytes: Uint8Array) => void];

/** In the store as a whole and in its parts for single signatures, where these have another name. */
function readStore(document: PdfDocument, kinds: readonly StoreKind[]): void {
  const seen = new Set<number>();
  let left = most.bytes;
  orNull(() => {
    const view = document.view(document.revisions.length - 1);
    const whole = view.dictionary(view.root.entries.get('DSS'));
    const single = [...(view.dictionary(whole?.entries.get('VRI'))?.entries.values() ?? [])].slice(0, most.objects);
    for (const store of [whole, ...single.map(view.dictionary)])
      for (const [names, add] of kinds)
        for (const item of names.flatMap((name) => view.items((store as PdfDictionary | null)?.entries.get(name)))) {
          if (!isKind(item, 'reference') || seen.has(item.number) || seen.size >= most.objects) continue;
          seen.add(item.number);
          const object = view.locate(item);
          const bytes = object && document.contentOf(object);
          left -= bytes?.length ?? 0;
          if (bytes && left > 0) add(bytes);
        }
  });
}
