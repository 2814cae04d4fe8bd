import { appError } from '../../core/foundation/app-error.ts';
import type { Reply, ReplyShape } from '../service/client.ts';
import { interfaceNames } from '../service/element-names.ts';
import { detailsFields, operations } from '../service/operations.ts';
import { isBlank, negativeCode } from './answers.ts';
import { type Consume, feedReply } from './feed-reply.ts';
import { createReplyFeed, type EnvelopeReading } from './read-reply.ts';

/** For replies other than documents and lists: a text or a small record. */
const maxReplyUnits = 16 * 1024 * 1024;
const maxRecordFields = 1_000;

/**
 * Reads a result that is a text or a record. A result with elements instead of the expected text (and the other way round) is
 * kept too: an answer outside the interface is shown as it was sent and is never an error.
 */
export function createResultReader(reading: EnvelopeReading) {
  const { target, operation } = reading;
  const isRecord = operations[operation].result === 'details';
  const names = interfaceNames(target.elementNames, operation, isRecord ? detailsFields : []);
  let text = '';
  let found = false;
  let nilResult = false;
  const fields: { name: string; value: string; nil: boolean }[] = [];
  const feed = createReplyFeed(reading, maxReplyUnits, {
    result(_tag, nil) {
      found = true;
      nilResult = nil;
      text = '';
      fields.length = 0;
    },
    open(tag, depth, nil) {
      if (depth !== 1 || fields.length >= maxRecordFields) return;
      fields.push({ name: names.get(tag.local) ?? tag.local, value: '', nil });
      inField = true;
    },
    text(piece) {
      const field = fields.at(-1);
      if (inField && field) field.value += piece;
      else text += piece;
    },
    close(depth) {
      if (depth === 1) inField = false;
    },
  });
  let inField = false;
  return {
    write: feed.write,
    /** True if the result is absent, nil or shows nothing. */
    isBlank: () => nilResult || (isBlank(text) && fields.every(({ value }) => isBlank(value))),
    /** Returns the whole reply. Throws as ReplyFeed.end does. */
    end(): Reply {
      feed.end();
      if (!found || nilResult) return isRecord ? { raw: null, record: undefined } : { raw: null };
      const given = fields.filter(({ nil }) => !nil);
      const lines = given.map(({ name, value }) => `${name}: ${value}`).join('\n');
      const raw = fields.length > 0 ? lines : text;
      const resultName = feed.resultName();
      const renamed = resultName === undefined ? {} : { resultName };
      if (!isRecord) return { raw, ...renamed };
      const known = new Set<string>(detailsFields);
      return {
        raw,
        ...renamed,
        record: Object.fromEntries(given.filter(({ name }) => known.has(name)).map((f) => [f.name, f.value])),
      };
    },
  };
}

/**
 * Reads, checks and redacts the reply to an operation that answers a text or a record. Rejects as `feedReply` and `createReplyFeed` do, with reply-unreadable
 * (empty-reply, early-reply) or, for an add that may have been carried out, with outcome-unknown (early-reply).
 */
export const readReply: Consume<Reply> = async (response, reading) => {
  const { operation, answeredWhole, quote } = reading;
  const isAdd = operations[operation].effect === 'add';
  const reader = createResultReader(reading);
  await feedReply(response, reading, reader.write);
  const { raw: sent, record, ...rest } = reader.end();
  // A service may repeat the request in a good answer too, which is shown, stored and exported.
  const raw = sent === null ? null : quote(sent);
  // An add that was carried out answers something: an empty result shows neither success nor failure.
  if (isAdd && reader.isBlank()) throw appError('reply-unreadable', 'the result is empty', { detail: 'empty-reply' });
  // A code may refuse a request before all of it was read. A success before that cannot be about the request: something in between answered, or a service that
  // did not read it. For an add the outcome is then unknown.
  if (!answeredWhole && !negativeCode(raw)) {
    const code = isAdd ? 'outcome-unknown' : 'reply-unreadable';
    throw appError(code, `${operation} was answered before it had left`, { detail: 'early-reply' });
  }
  if (!record) return { raw, ...rest };
  return {
    raw,
    record: Object.fromEntries(Object.entries(record).map(([name, value]) => [name, quote(value)])),
    ...rest,
  };
};

const maxText = 2_000;
const maxNames = 100;

/** Reads the structure of a reply. Stops after the first entry of a list, because a service may send all it has. */
export const readShape: Consume<ReplyShape> = async (response, reading) => {
  const isList = operations[reading.operation].result === 'esign-list';
  const besides: string[] = [];
  const fields: { name: string; text: string }[] = [];
  const entry: string[] = [];
  const seen = { result: false, entry: false, text: '' };
  const feed = createReplyFeed(reading, maxReplyUnits, {
    beside: ({ local }) => void (besides.length < maxNames && besides.push(local)),
    // The only element is read under any name, as replies are; the result itself takes the place of one before it.
    result(_tag, nil, isOther) {
      seen.result = !nil && !isOther;
      seen.text = '';
      fields.length = 0;
    },
    open({ local }, depth, nil) {
      if (depth === 1 && fields.length < maxNames) fields.push({ name: local, text: '' });
      if (depth === 1 && isList) seen.entry ||= !nil;
      if (depth === 2 && entry.length < maxNames) entry.push(local);
    },
    text(piece) {
      const field = isList ? undefined : fields.at(-1);
      if (field) field.text = `${field.text}${piece}`.slice(0, maxText);
      else if (fields.length === 0) seen.text = `${seen.text}${piece}`.slice(0, maxText);
    },
    close(depth) {
      if (depth === 1 && seen.entry) throw enough;
    },
  });
  const enough = appError('cancelled', 'one entry is enough');
  try {
    await feedReply(response, reading, feed.write);
    feed.end();
  } catch (error) {
    if (error !== enough) throw error;
  }
  for (const field of fields) field.text = reading.quote(field.text);
  return {
    hasResult: seen.result,
    text: reading.quote(seen.text.trim()),
    besides,
    fields,
    entry: seen.entry ? entry : null,
  };
};
