import { probePath } from '../../../soap/probe-path.ts';
import type { ServiceTarget } from '../../../soap/service/client.ts';
import { describedOperations, descriptionAt, judgeDescription } from './description-step.ts';
import { quoted } from './judge-reply.ts';
import type { Seen } from './step-runner.ts';

/**
 * The Easy Sign path has only add operations, so the doctor requests an operation that cannot exist, and the WSDL:
 * neither costs or mails anything. Rejects if the answer is not SOAP.
 */
export async function checkEasySign(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Seen> {
  const fault = await probePath(url, target, signal);
  const found = await descriptionAt(url, target, signal);
  if ('missing' in found) {
    const seen = `speaks SOAP (${quoted(fault.raw ?? '')}); whether it offers Easy Sign is not seen: ${found.missing}`;
    return { result: 'unclear', note: seen };
  }
  const { description } = found;
  const offered = describedOperations(description, 'easy-sign');
  if (offered.length === 0) {
    const note = 'speaks SOAP, but by its WSDL it offers no Easy Sign';
    return { result: 'failed', note, proposal: 'check-easy-sign-path' };
  }
  const judged = judgeDescription(description, 'easy-sign', target);
  return judged ?? { note: `offers ${offered.join(' and ')}` };
}
