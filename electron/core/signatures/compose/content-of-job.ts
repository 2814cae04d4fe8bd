import { type PresetContent, presetContent, type RequestKind } from '../../../../contract/compose.ts';
import { requestOperations } from '../../../../contract/operation.ts';
import type { StoredJob } from '../../../store/jobs/job-rows.ts';

export const signOperations = Object.values(requestOperations);

const kinds = Object.keys(requestOperations) as readonly RequestKind[];

/** Kind of request of a job; undefined if the operation is no signature request. */
export function kindOfJob({ operation }: Pick<StoredJob, 'operation'>): RequestKind | undefined {
  return kinds.find((kind) => requestOperations[kind] === operation);
}

/**
 * The form content of a request, read from the arguments it was sent with. The inverse of signature-order.ts, with
 * the separator that was used then.
 */
export function contentOfJob(job: Pick<StoredJob, 'operation' | 'args'>, separator: string): PresetContent {
  const { args } = job;
  const text = (name: string) => String(args[name] ?? '');
  const list = (name: string) => (args[name] === undefined ? [] : text(name).split(separator));
  const said = (name: string) => (typeof args[name] === 'boolean' ? args[name] : null);
  const names = list('Names');
  return presetContent.parse({
    kind: kindOfJob(job),
    documentName: text('DocumentName'),
    description: text('Description'),
    clientId: text('ClientID'),
    recipients: list('Emails').map((email, index) => ({ email, name: names[index] ?? '' })),
    ccEmails: list('CCEmails'),
    ownerSigns: args.ReqOwnerESign === true,
    ownerFirst: args.OwnerESignFirst === true,
    creditType: typeof args.creditType === 'number' ? args.creditType : null,
    templateId: text('TemplateID'),
    elementsFromTemplateId: text('ElementsFromTemplateID'),
    uniqueId: text('UniqueID'),
    xmlData: text('XMLData'),
    messageToSigners: text('MessageToSigners'),
    customSubject: text('CustomSubject'),
    allowSignerElementAdd: said('AllowSignerElementAdd'),
    enforceSigClick: said('EnforceSigClick'),
    idVerify: said('IDVerify'),
  });
}
