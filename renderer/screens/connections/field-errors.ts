import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { certificateReasons, fieldReasons } from '../../../contract/field-reasons.ts';

/** The error of a field by its path in the settings (`baseUrl`, `creditTypes.0.name`); undefined if there is none. */
export type ErrorAt = (path: string) => string | undefined;

/** True if what has to be changed is not among the fields that are always shown. */
export function isInMore({ fields = {}, detail }: Failure): boolean {
  if (/^(proxy-|client-certificate-|tls-untrusted)/.test(detail ?? '')) return true;
  return Object.keys(fields).some((path) => /^(settings\.(?!name$|baseUrl$)|proxyLogin|clientCertificate)/.test(path));
}

/** Texts for the core's field errors; for unknown fields, the core's own text. */
export function useFieldErrors(failure: Failure | null): ErrorAt {
  const { t } = useTranslation();
  const fields = failure?.fields ?? {};
  return (path) => {
    const why = fields[`settings.${path}`] ?? fields[path];
    if (why === undefined) return undefined;
    if (why === fieldReasons.isTaken) return t('connections.fieldTaken');
    if (why === fieldReasons.notEncrypted) return t('connections.fieldNotEncrypted');
    if (path === 'baseUrl' || path === 'proxy.address') return t('connections.fieldAddress');
    if (path === 'mainPath' || path === 'easySignPath') return t('connections.fieldPath');
    if (path === 'namespaceUri') return t('connections.fieldNamespace');
    if (path.startsWith('elementNames.')) return t('connections.fieldElement');
    if (path === 'clientCertificate.password') return t('connections.fieldPassword');
    if (path === 'clientCertificate') return t(`connections.fieldCertificate.${certificateProblem(why)}`);
    if (path === 'proxyLogin.user' && why.includes('colon')) return t('connections.fieldProxyUser');
    if (/^name$|\.name$|^credentials\.|^proxyLogin\./.test(path)) return t('connections.fieldRequired');
    if (/\.value$|^maxItems$|^parallel$|^doubtLimit$|^timeouts\./.test(path)) return t('connections.fieldNumber');
    return t('connections.fieldInvalid', { why });
  };
}

function certificateProblem(why: string) {
  const problems = Object.keys(certificateReasons) as (keyof typeof certificateReasons)[];
  return problems.find((problem) => certificateReasons[problem] === why) ?? 'unusable';
}
