import type { OperationName } from '../../contract/operation.ts';
import type { ServiceTarget } from './client.ts';
import { operations } from './operations.ts';

/** The SOAP version in which an operation is called: the two paths of a service may speak different ones. */
export function soapVersionFor(
  { soapVersion, easySignSoapVersion }: Pick<ServiceTarget, 'soapVersion' | 'easySignSoapVersion'>,
  operation: OperationName,
): ServiceTarget['soapVersion'] {
  const isMain = operations[operation].path === 'main' || easySignSoapVersion === 'main';
  return isMain ? soapVersion : easySignSoapVersion;
}
