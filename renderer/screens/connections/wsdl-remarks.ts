import type { TFunction } from 'i18next';
import type { WsdlRemark } from '../../../contract/connections.ts';
import type { useFormat } from '../../parts/format.ts';

/** One sentence per remark; remarks that differ only in their subject share one. */
export function remarkLines(
  t: TFunction,
  { list }: Pick<ReturnType<typeof useFormat>, 'list'>,
  remarks: readonly WsdlRemark[],
): readonly string[] {
  const groups = new Map<string, WsdlRemark & { readonly all: string[] }>();
  const isUnaddressed = ({ kind, now }: WsdlRemark) => kind === 'address-unusable' && now === '';
  for (const remark of remarks) {
    if (isUnaddressed(remark)) continue;
    const key = JSON.stringify([remark.kind, remark.was, remark.now]);
    const group = groups.get(key);
    if (group) group.all.push(remark.about);
    else groups.set(key, { ...remark, all: [remark.about] });
  }
  return [
    ...(remarks.some(isUnaddressed) ? [t('connections.wsdlNoAddress')] : []),
    ...[...groups.values()].map(({ kind, all, was = '', now = '' }) =>
      t(`connections.wsdlRemark.${kind}`, { about: list(all.map((about) => nameOf(t, about))), was, now }),
    ),
  ];
}

/** Remarks that ask nothing of a person: the check of the connection shows whether it is so. */
const quiet: ReadonlySet<WsdlRemark['kind']> = new Set([
  'address-kept',
  'redirected',
  'address-changed',
  'namespace-changed',
  'name-found',
  'name-changed',
  'not-described',
  'order-differs',
]);

export function isQuiet({ kind }: WsdlRemark): boolean {
  return quiet.has(kind);
}

const settings = ['baseUrl', 'mainPath', 'easySignPath', 'namespaceUri'] as const;

/** The label of a setting in the form; elements and operations as named in the interface. */
function nameOf(t: TFunction, about: string): string {
  const setting = settings.find((one) => one === about);
  return setting ? t(`connections.${setting}`) : about;
}
