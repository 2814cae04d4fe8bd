import type { PreviewChild, RequestPreview } from '../../../../contract/compose.ts';
import { goesOutAsFalse } from '../../../soap/request/envelope.ts';
import { wireName } from '../../../soap/service/element-names.ts';
import { type Child, childrenOf, operations, soapVersionFor } from '../../../soap/service/operations.ts';
import { serviceAddress } from '../../connections/service-address.ts';
import type { PreparedRequest } from './prepare-request.ts';

interface PreviewInput extends Omit<PreparedRequest, 'request'> {
  readonly hasSecretWord: boolean;
  readonly sentBefore: string | null;
}

/** creditType of prepaid credits (see the interface's field notes); a request with it needs two. */
export const prepaidCreditType = 2;
export const prepaidPerRequest = 2;
const secrets = new Set(['apiKey', 'apiSig', 'SecretWord']);

/** The preview of a request: everything it would send. Sends nothing. */
export function previewOf({
  connection,
  order,
  hasSecretWord,
  people,
  ccEmails,
  problems,
  sentBefore,
}: PreviewInput): RequestPreview {
  const { operation, args } = order;
  const path = operations[operation].path === 'main' ? 'mainPath' : 'easySignPath';
  const children = childrenOf(operation).map((child) => previewChild(child, { connection, order, hasSecretWord }));
  const creditType = typeof args.creditType === 'number' ? args.creditType : null;
  const owner = args.ReqOwnerESign === true ? [{ email: connection.ownerEmail, name: '', role: 'owner' as const }] : [];
  return {
    operation,
    address: serviceAddress(connection, path).href,
    soapVersion: soapVersionFor(connection, operation),
    namespaceUri: connection.namespaceUri,
    children,
    cost: {
      creditType:
        creditType === null
          ? null
          : {
              value: creditType,
              name: connection.creditTypes.find(({ value }) => value === creditType)?.name ?? String(creditType),
            },
      requests: 1,
      prepaidCredits: creditType === prepaidCreditType ? prepaidPerRequest : null,
      idChecks: args.IDVerify === true ? people.length + owner.length : 0,
    },
    mails: [
      ...people.map((person) => ({ ...person, role: 'signer' as const })),
      ...owner,
      ...ccEmails.map((email) => ({ email, name: '', role: 'copy' as const })),
    ],
    problems,
    sentBefore,
  };
}

function previewChild(
  child: Child,
  { connection, order, hasSecretWord }: Pick<PreviewInput, 'connection' | 'order' | 'hasSecretWord'>,
): PreviewChild {
  const { name, type } = child;
  const isSecret = secrets.has(name);
  const base = { name, wireName: wireName(connection.elementNames, order.operation, name), type, isSecret };
  const file = name === 'Document' ? order.file : name === 'AdditionalImage' ? order.image : undefined;
  if (file) return { ...base, sent: true, value: null, file: { name: file.name, sizeBytes: file.sizeBytes } };
  const value = order.args[name] ?? (goesOutAsFalse(child, connection.sendFalse) ? false : undefined);
  const sent = isSecret ? name !== 'SecretWord' || hasSecretWord : value !== undefined;
  return { ...base, sent, value: isSecret || value === undefined ? null : String(value), file: null };
}
