import type { TFunction } from 'i18next';
import type { WsdlRemark } from '../../../contract/connections.ts';

/** One sentence per remark; remarks that differ only in their subject share one. */
export function remarkLines(t: TFunction, remarks: readonly WsdlRemark[]): readonly string[] {
  const groups = new Map<string, WsdlRemark & { readonly all: string[] }>();
  for (const remark of remarks) {
    const key = JSON.stringify([remark.kind, remark.was, remark.now]);
    const group = groups.get(key);
    if (group) group.all.push(remark.about);
    else groups.set(key, { ...remark, all: [remark.about] });
  }
  return [...groups.values()].map(({ kind, all, was = '', now = '' }) =>
    t(`connections.wsdlRemark.${kind}`, { about: all.map((about) => nameOf(t, about)).join(', '), was, now }),
  );
}

const settings = ['baseUrl', 'mainPath', 'easySignPath', 'namespaceUri'] as const;

/** The label of a setting in the form; elements and operations as named in the interface. */
function nameOf(t: TFunction, about: string): string {
  const setting = settings.find((one) => one === about);
  return setting ? t(`connections.${setting}`) : about;
}
