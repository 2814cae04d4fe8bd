import type { DoctorProposal, DoctorStep } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { isFault } from '../../../soap/reply/refusal.ts';

/** What a person can do about a failure of the service; undefined if the service's own words are enough. */
export function proposalFor(step: DoctorStep['step'], failure: Failure): DoctorProposal | undefined {
  const { code, detail, serviceCode = '', raw = '' } = failure;
  if (step === 'easy-sign') return code === 'reply-unreadable' ? 'check-easy-sign-path' : undefined;
  if (code === 'credentials-rejected') return 'check-credentials';
  if (detail === 'http-status' && /^(404|405|410)$/.test(serviceCode)) return 'check-main-path';
  if (step === 'soap' && (detail === 'html-page' || detail === 'redirected')) return 'check-main-path';
  if (detail === 'http-status' && serviceCode === '415') return 'soap-version';
  if (detail === 'wrong-reply') return 'check-namespace';
  if (detail === 'soap-action-missing') return 'soap12-action';
  if (!isFault(failure)) return undefined;
  if (/VersionMismatch/i.test(serviceCode)) return 'soap-version';
  // In the words of .asmx, WCF, JAX-WS, Axis, CXF and gSOAP.
  return /SOAPAction|ContractFilter|dispatch method|operation not found|not recognized|namespace/i.test(raw)
    ? 'check-namespace'
    : undefined;
}

/** English texts for the report and the command line; the window has texts in its own catalogue. */
export const proposalTexts: Readonly<Record<DoctorProposal, string>> = {
  'read-wsdl': 'Read the WSDL again, or ask the service for its element names.',
  'soap12-action': 'Send SOAP 1.2 with the action parameter, or use SOAP 1.1.',
  'soap-version': 'Choose the other SOAP version.',
  'check-namespace': 'Check the namespace; the WSDL names it.',
  'check-credentials': 'Enter the credentials again.',
  'check-main-path': 'Check the main path.',
  'check-easy-sign-path': 'Check the Easy Sign path.',
};
