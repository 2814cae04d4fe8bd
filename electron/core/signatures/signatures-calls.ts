import type { HandlersOf } from '../../../contract/index.ts';
import type { Context } from '../context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { prepareRequest, refuseErrors, secretOf } from './compose/prepare-request.ts';
import type { SignatureServices } from './create-signatures.ts';

/** Calls that send a signature request and read a list. */
export function signatureCalls(
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
          if (corrected !== null) bulks.correct(corrected, jobId, prepared);
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
