import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';

/** The error of a field by its path in the settings (`baseUrl`, `creditTypes.0.name`); undefined if there is none. */
export type ErrorAt = (path: string) => string | undefined;

/** Texts for the core's field errors; for unknown fields, the core's own text. */
export function useFieldErrors(failure: Failure | null): ErrorAt {
  const { t } = useTranslation();
  const fields = failure?.fields ?? {};
  return (path) => {
    const why = fields[`settings.${path}`] ?? fields[path];
    if (why === undefined) return undefined;
    if (path === 'baseUrl' || path === 'proxy.address') return t('connections.fieldAddress');
    if (path === 'mainPath' || path === 'easySignPath') return t('connections.fieldPath');
    if (path.startsWith('elementNames.')) return t('connections.fieldElement');
    if (/^(name|namespaceUri)$|\.name$/.test(path)) return t('connections.fieldRequired');
    if (/\.value$|^maxItems$|^parallel$|^doubtLimit$|^timeouts\./.test(path)) return t('connections.fieldNumber');
    return t('connections.fieldInvalid', { why });
  };
}
