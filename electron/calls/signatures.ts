import type { Handlers } from '../../contract/index.ts';
import type { DraftBook } from '../core/compose/draft-book.ts';
import { type PreparedRequest, prepareRequest, refuseErrors, secretOf } from '../core/compose/prepare-request.ts';
import type { Context } from '../core/context.ts';
import type { Jobs } from '../core/jobs/jobs.ts';
import type { Tracking } from '../core/tracking/tracking.ts';
import { entryOf } from '../store/list-entries.ts';
import type { TrackedQuery } from '../store/tracked.ts';

type Names = 'signatures.request' | 'signatures.refresh' | 'signatures.entries';

const wholeList: Omit<TrackedQuery, 'connectionId' | 'listType' | 'offset' | 'limit'> = {
  ...{ search: '', person: '', document: '', from: null, to: null, origDocumentId: null },
  ...{ status: null, changedOnly: false, dueOnly: false },
  sort: 'createdAt',
  descending: true,
};

export function signatureCalls(
  context: Context,
  jobs: Jobs,
  { drafts, tracking }: { readonly drafts: DraftBook; readonly tracking: Tracking },
): Pick<Handlers, Names> {
  const { connections, store } = context;
  return {
    'signatures.request': async (request) => {
      const { connectionId, draftId } = request;
      const prepared = await prepareRequest(context, request);
      refuseErrors(prepared.problems);
      const secretWord = await secretOf(context, request);
      // Without credentials nothing is begun.
      await connections.client(connectionId);
      const { batchId, jobIds } = await jobs.enqueue(connectionId, [{ ...prepared.order, secretWord }]);
      remember(context, connectionId, prepared);
      if (draftId !== undefined) drafts.sent(draftId);
      return { batchId, jobId: jobIds[0] ?? '' };
    },
    'signatures.refresh': ({ connectionId, listType, maxItems }) => tracking.refresh(connectionId, listType, maxItems),
    'signatures.entries': async ({ connectionId, listType, offset, limit }) => {
      const { rows, total } = store.tracked.find({ ...wholeList, connectionId, listType, offset, limit });
      return { entries: rows.map(entryOf), total, asOf: store.tracked.listState(connectionId, listType)?.asOf ?? null };
    },
  };
}

/** For the next request: who it went to, and which templates it used. */
function remember({ store }: Context, connectionId: string, { people, order }: PreparedRequest): void {
  store.people.used(people);
  const { TemplateID, ElementsFromTemplateID } = order.args;
  store.templates.used(
    connectionId,
    [TemplateID, ElementsFromTemplateID].filter((id) => typeof id === 'string'),
  );
}
