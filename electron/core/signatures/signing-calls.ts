import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import type { PracticeSupervisor } from '../connections/practice-supervisor.ts';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';
import type { Jobs } from '../jobs/start-jobs.ts';
import { bulkCalls } from './bulk/bulk-calls.ts';
import { composeCalls } from './compose/compose-calls.ts';
import { formCalls } from './compose/forms-calls.ts';
import { prepareRequest, refuseErrors, secretOf } from './compose/prepare-request.ts';
import type { SignatureServices } from './create-signatures.ts';
import { homeCalls } from './tracking/home-calls.ts';
import { trackingCalls } from './tracking/tracking-calls.ts';

/** All calls about signature requests. */
export function signingCalls(
  context: Context,
  jobs: Jobs,
  practice: PracticeSupervisor,
  parts: SignatureServices,
): HandlersOf<
  'signatures' | 'compose' | 'forms' | 'corrections' | 'templates' | 'bulk' | 'tracking' | 'home' | 'practice'
> {
  const { forms, corrections, bulks, tracking } = parts;
  return {
    ...signatureCalls(context, jobs, parts),
    ...composeCalls(context),
    ...formCalls(context, forms, practice),
    'corrections.open': ({ jobId }) => corrections.open(jobId),
    ...bulkCalls(context, bulks),
    ...trackingCalls(context, tracking),
    ...homeCalls(context),
    ...practiceCalls(context, practice, tracking.expect),
  };
}

/**
 * Signs documents of the practice service in place of their signers. `signed` is called with the connection whose
 * lists change.
 */
function practiceCalls(
  { connections }: Context,
  practice: PracticeSupervisor,
  signed: (connectionId: string) => void,
): Pick<Handlers, 'practice.signAs'> {
  return {
    'practice.signAs': async ({ connectionId, documentId, email }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') throw appError('bad-input', 'signers are played in the practice service only');
      await practice.use(({ sign }) =>
        sign(documentId, email).catch((error: unknown) => {
          throw appError('bad-input', error instanceof Error ? error.message : 'there is nothing to sign');
        }),
      );
      signed(connectionId);
      return null;
    },
  };
}

/** Calls that send a signature request and read a list. */
function signatureCalls(
  context: Context,
  jobs: Jobs,
  { forms, bulks, tracking }: Pick<SignatureServices, 'forms' | 'bulks' | 'tracking'>,
): HandlersOf<'signatures'> {
  const { connections, store, emit } = context;
  return {
    'signatures.request': async (request) => {
      const { connectionId, draftId } = request;
      const prepared = await prepareRequest(context, request);
      refuseErrors(prepared.problems);
      const secretWord = await secretOf(context, request);
      // Fails before anything is written if there are no credentials.
      await connections.client(connectionId);
      const sent = await jobs.enqueueOne(
        connectionId,
        { ...prepared.order, secretWord, duplicates: request.repeats },
        (jobId) => {
          if (draftId === undefined) return null;
          const corrected = forms.send(draftId, jobId);
          if (corrected !== null) bulks.correct(corrected, jobId, prepared.connection.separator);
          return corrected;
        },
      );
      const { TemplateID, ElementsFromTemplateID } = prepared.order.args;
      const templates = [TemplateID, ElementsFromTemplateID].filter((id) => typeof id === 'string');
      store.forms.usedTemplates(connectionId, templates);
      if (draftId !== undefined) emit('forms.changed', null);
      bulks.follow([sent.jobId]);
      return sent;
    },
    'signatures.refresh': ({ connectionId, listType, maxItems }) => tracking.refresh(connectionId, listType, maxItems),
  };
}
