import { basename } from 'node:path';
import { emailKey, isEmail } from '../../../../contract/email.ts';
import type { Handlers, HandlersOf } from '../../../../contract/index.ts';
import type { StatusBoard, TrackedFilter } from '../../../../contract/tracking.ts';
import type { TrackedQuery, TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { chooseTarget } from '../../files/target.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { rowOf, trackedEntries, trackedEntry, trackedGroups } from './entry-view.ts';
import { exportEntries } from './export-entries.ts';
import { isDay, midnight } from './home-calls.ts';
import { askTrackedStatus, type Tracking } from './tracking.ts';

/** Attempts per question: a person waits for the answer. */
const tries = 2;

/** Calls about the e-sign lists. All of them work without the service, except refreshing and asking a status. */
export function trackingCalls(context: Context, tracking: Tracking): HandlersOf<'tracking'> {
  return { ...readingCalls(context, tracking), ...entryCalls(context, tracking), ...exportCalls(context, tracking) };
}

function readingCalls(context: Context, tracking: Tracking) {
  const { connections, store, budget, ports } = context;
  return {
    'tracking.state': async ({ connectionId }) => {
      const state = await tracking.state(connectionId);
      tracking.looked(connectionId);
      return state;
    },
    'tracking.refresh': async ({ connectionId, listType }) => {
      const { lists } = await connections.get(connectionId);
      const wanted = listType === undefined ? lists.map(({ value }) => value) : [listType];
      tracking.looked(connectionId);
      // Lists are read in order, one after the other: an entry that moved has left its old list before it appears in
      // the next.
      void readAll(tracking, connectionId, wanted).catch((error: unknown) =>
        ports.log.warn('a list was not read', { connectionId, code: failureOf(error)?.code }),
      );
    },
    'tracking.entries': async ({ connectionId, offset, limit, ...filter }) => {
      const { lists } = await connections.get(connectionId);
      tracking.looked(connectionId);
      const { rows, total } = store.tracked.find({ ...queryOf(context, connectionId, filter), offset, limit });
      return { entries: trackedEntries(context, lists, rows), total };
    },
    'tracking.groups': async ({ connectionId, offset, limit, among, ...filter }) => {
      const { lists, separator } = await connections.get(connectionId);
      tracking.looked(connectionId);
      const query = { ...queryOf(context, connectionId, filter), request: filter.request, offset, limit, among };
      const { rows, total } = await store.requests.find({ connectionId, lists, separator }, query);
      return { groups: trackedGroups(context, { id: connectionId, lists }, rows), total };
    },
    'tracking.board': async ({ connectionId }) => boardOf(context, connectionId),
    'tracking.look': async ({ connectionId, listType }) => {
      store.tracked.unmark(connectionId, listType);
      if (listType === undefined) store.requests.look(connectionId);
      tracking.tell(connectionId);
    },
    'tracking.setBudget': async (limits) => {
      const state = budget.set(limits);
      tracking.limitsChanged();
      return state;
    },
  } satisfies Partial<Handlers>;
}

function entryCalls(context: Context, tracking: Tracking) {
  const { store, vault, ports } = context;
  const viewOf = async (row: TrackedRow) => {
    const { lists } = await context.connections.get(row.connection_id);
    return trackedEntry(context, lists, row);
  };
  return {
    'tracking.entry': async ({ connectionId, entryId }) => {
      const row = rowOf(context, connectionId, entryId);
      const history = row.document_id ? store.trackedStatuses.history(connectionId, row.document_id) : [];
      return { entry: await viewOf(row), history };
    },
    'tracking.askStatus': async ({ connectionId, entryId }) => {
      const { document_id: documentId } = rowOf(context, connectionId, entryId);
      if (!documentId) throw appError('bad-input', 'the entry names no document');
      return askTrackedStatus(context, connectionId, documentId, { tries });
    },
    'tracking.askRequestStatus': async ({ connectionId, documentId }) => {
      const status = await askTrackedStatus(context, connectionId, documentId, { tries });
      tracking.tell(connectionId);
      return status;
    },
    'tracking.revealSecretWord': async ({ connectionId, entryId }) => {
      const row = rowOf(context, connectionId, entryId);
      // A colleague's program has read the list, and secret words are not shared.
      if (row.secret === null && row.has_secret_word === 1) await tracking.readHere(connectionId, row.list_type);
      const { secret } = rowOf(context, connectionId, entryId);
      return { secretWord: secret === null ? null : await vault.open(secret) };
    },
    'tracking.setDue': async ({ connectionId, documentId, date, note }) => {
      if (date !== null && !isDay(date))
        throw appError('bad-input', 'there is no such day', { fields: { date: 'is no day of the calendar' } });
      store.tracked.setDue(connectionId, documentId, date === null ? null : { date, note });
      tracking.tell(connectionId);
    },
    'tracking.draftMail': async ({ connectionId, subject, body, ...to }) => {
      const { email, hasSigned } =
        'entryId' in to
          ? await viewOf(rowOf(context, connectionId, to.entryId))
          : await askedOf(context, connectionId, to.requestId, to.email);
      if (hasSigned) throw appError('bad-input', 'the signer has signed', { fields: { entryId: 'has signed' } });
      await ports.desktop.openInBrowser(mailDraft(email, subject, body));
    },
    'tracking.takeWanted': async () => tracking.takeWanted(),
  } satisfies Partial<Handlers>;
}

/** Somebody whom a request asked, as it was sent: there need be no entry. Of several places of one address that which has not signed. */
async function askedOf({ connections, store }: Context, connectionId: string, requestId: string, email: string) {
  const { lists, separator } = await connections.get(connectionId);
  const request = await store.requests.byKey({ connectionId, lists, separator }, requestId);
  const isTaken = request !== undefined && (request.job === null || request.job.state === 'done');
  const places = isTaken ? request.signers.filter((one) => one.email && emailKey(one.email) === emailKey(email)) : [];
  if (!places[0]) throw appError('not-found', 'nobody with this address was asked');
  return { email: places[0].email, hasSigned: places.every(({ state }) => state === 'signed') };
}

function exportCalls(context: Context, tracking: Tracking) {
  const { connections, ports } = context;
  return {
    'tracking.export': async ({ connectionId, documentIds, grouped, format, withSecretWords, language, ...filter }) => {
      const connection = await connections.get(connectionId);
      const target = await chooseTarget(ports.dialogs, `Sealdesk ${new Date().toISOString().slice(0, 10)}.${format}`);
      if (target === null) return null;
      tracking.looked(connectionId);
      const query = {
        ...queryOf(context, connectionId, filter),
        ...(documentIds ? { requests: documentIds } : {}),
        request: filter.request,
      };
      const given = { connection, query, grouped, format, withSecretWords, language };
      const { path, ...counts } = await exportEntries(context, target, given);
      return { fileName: basename(path), ...counts };
    },
  } satisfies Partial<Handlers>;
}

async function readAll(tracking: Tracking, connectionId: string, lists: readonly number[]): Promise<void> {
  for (const listType of lists) await tracking.refresh(connectionId, listType);
}

/** Converts a filter to a query: days become midnights in this computer's time zone; the last day is included. */
function queryOf(
  { team }: Context,
  connectionId: string,
  { mine, request: _, ...filter }: TrackedFilter,
): Omit<TrackedQuery, 'offset' | 'limit'> {
  return {
    ...filter,
    connectionId,
    ...(mine ? { requests: [...(team.assignedToMe(connectionId) ?? [])] } : {}),
    from: filter.from === null ? null : midnight(filter.from, 0),
    to: filter.to === null ? null : midnight(filter.to, 1),
  };
}

async function boardOf({ store }: Context, connectionId: string): Promise<StatusBoard> {
  const { words, notAsked } = await store.trackedStatuses.board(connectionId);
  return {
    words: words.map(({ raw, answer, documents }) => ({
      raw,
      group: answer.group,
      meaning: answer.meaning,
      documents,
    })),
    notAsked,
  };
}

/** Longest address that every system passes to a mail program, in characters. */
const longestAddress = 1_990;

/** A mailto address for a draft. Throws bad-input if there is no usable address, or if the text is too long for one. */
function mailDraft(email: string | null, subject: string, body: string): string {
  const to = (email ?? '').trim();
  if (!isEmail(to))
    throw appError('bad-input', 'the entry has no usable e-mail address', {
      fields: { entryId: 'has no usable address' },
    });
  const address = `mailto:${encodeURIComponent(to).replace('%40', '@')}`;
  const text = `${address}?subject=${encoded(subject)}&body=${encoded(body.replaceAll(/\r\n|\r|\n/g, '\r\n'))}`;
  if (text.length > longestAddress)
    throw appError('bad-input', 'the mail is too long for a draft', { fields: { body: 'is too long for a draft' } });
  return text;
}

/**
 * Encodes a text for a mailto address. RFC 6068 has no plus sign for a space. Apostrophes and similar characters are
 * harmless in it, but are encoded too: some programs pass the address to a shell.
 */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
