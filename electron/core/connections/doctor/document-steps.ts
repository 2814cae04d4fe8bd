import type { Connection } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { OperationName } from '../../../../contract/operation.ts';
import { isFault, refusal } from '../../../soap/reply/refusal.ts';
import type { Arguments, Credentials, ReplyShape, ServiceTarget } from '../../../soap/service/client.ts';
import { wireName } from '../../../soap/service/element-names.ts';
import { createSoapClient } from '../../../soap/soap-client.ts';
import { failureOf } from '../../foundation/app-error.ts';
import { codeIn, judgeEntry, judgeFault, judgeRecord, judgeResult, listed, quoted } from './judge-reply.ts';
import type { Seen } from './step-runner.ts';

interface CheckInput {
  readonly target: ServiceTarget;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
}

/** Has the form of an ID, but belongs to no document. */
const nobodysId = '00000000-0000-0000-0000-000000000000';
/** Does not have the form of an ID. */
const noId = 'no-document';

/** Codes that are answers about the ID; any other code refuses the question. */
const aboutTheId = new Set(['-100', '-124', '-151', '-154']);
/** A required field is empty: the service does not read the element name under which the ID was sent. */
const fieldEmpty = '-123';

async function withQuestions<T>(questions: Questions, work: (questions: Questions) => Promise<T>): Promise<T> {
  try {
    return await work(questions);
  } finally {
    questions.close();
  }
}

/** Asks for the status or the details of a document that does not exist. */
export function checkDocumentQuestion(
  operation: 'GetDocumentStatus' | 'GetDocumentDetails',
  { target, credentials, signal }: CheckInput,
): Promise<Seen> {
  const child = 'ServiceDocumentID';
  const args = { [child]: nobodysId };
  return withQuestions(nameQuestions(operation, target, credentials, signal), async (questions) => {
    const answer = await questions.ask(args);
    if ('fault' in answer) return faultSeen(questions, { operation, child, args, target }, answer);
    const { shape } = answer;
    const code = codeIn(shape, target);
    if (code === fieldEmpty) return emptyField(`${operation}.${child}`);
    if (code !== null && !aboutTheId.has(code)) throw refusal(code, code);
    const odd = judgeResult(operation, shape, target) ?? judgeRecord(shape, target);
    if (odd) return odd;
    const said = code ?? shape.text;
    const note = said === '' ? 'answered as expected' : `an unknown ID is answered with ${quoted(said)}`;
    return (await readsTheId(questions, child, answer)) ? { note } : sameAnswer(`${operation}.${child}`, note);
  });
}

interface Asked {
  readonly operation: OperationName;
  readonly child: string;
  readonly args: Arguments;
  readonly target: ServiceTarget;
}

/**
 * Judges a fault. If a wrong element name makes no difference, the fault is about the names; otherwise it may be
 * about the ID that was sent.
 */
async function faultSeen(
  questions: Questions,
  { operation, child, args, target }: Asked,
  answer: Outcome & { readonly fault: Failure },
): Promise<Seen> {
  if (!(await questions.answersOtherwise(child, args, answer))) {
    return judgeFault(operation, answer.fault, target, child);
  }
  return { result: 'unclear', note: `answered with a fault: ${quoted(answer.fault.raw ?? '')}` };
}

/** True if the service reads the ID: it answers otherwise for another element name, or for an ID of another form. */
async function readsTheId(questions: Questions, child: string, answer: Outcome): Promise<boolean> {
  if (await questions.answersOtherwise(child, { [child]: nobodysId }, answer)) return true;
  return formOf(await questions.ask({ [child]: noId }), '') !== formOf(answer, '');
}

function emptyField(element: string): Seen {
  return {
    result: 'failed',
    note: `answered ${fieldEmpty}, a required field is empty, although an ID was sent: it does not read ${element}`,
    proposal: 'read-wsdl',
    elements: [element],
  };
}

function sameAnswer(element: string, note: string): Seen {
  return {
    result: 'unclear',
    note: `${note}, and just so where ${element} goes out under a wrong name`,
    proposal: 'read-wsdl',
    elements: [element],
  };
}

/** Asks for one entry of each list in turn until a list has an entry. */
export function checkList(lists: Connection['lists'], { target, credentials, signal }: CheckInput): Promise<Seen> {
  const operation = 'GetESignList';
  return withQuestions(nameQuestions(operation, target, credentials, signal), async (questions) => {
    const numbers = lists.slice(0, 3).map(({ value }) => value);
    if (numbers.length === 0) return { result: 'not-tried', note: 'the connection has no lists' };
    let last: { readonly args: { ListType: number; MaxItems: number }; readonly answer: Outcome } | null = null;
    for (const ListType of numbers) {
      const args = { ListType, MaxItems: 1 };
      const answer = await questions.ask(args);
      if ('fault' in answer) return faultSeen(questions, { operation, child: 'ListType', args, target }, answer);
      const code = codeIn(answer.shape, target);
      if (code !== null) throw refusal(code, code);
      const odd = judgeResult(operation, answer.shape, target);
      // A missing list element may mean an empty list.
      if (odd && odd.result === 'failed') return odd;
      if (answer.shape.text !== '')
        return { result: 'failed', note: `answered ${quoted(answer.shape.text)} for a list` };
      const { entry } = answer.shape;
      if (entry) return judgeEntry(entry, target) ?? odd ?? { note: `an entry with ${listed(entry)}` };
      if (odd && answer.shape.besides.length > 0) return odd;
      last = { args, answer };
    }
    const note = 'no list has an entry yet, so the names in an entry are not seen';
    const isRead = last !== null && (await questions.answersOtherwise('ListType', last.args, last.answer));
    return isRead ? { note } : sameAnswer(`${operation}.ListType`, note);
  });
}

/** An answer to a free question: a reply or a fault. */
type Outcome = { readonly shape: ReplyShape } | { readonly fault: Failure };

type Questions = ReturnType<typeof nameQuestions>;

/** An element name that is in no schema. */
const noElement = 'SealdeskNoSuchElement';

/** Free questions that test the element names of one operation. */
function nameQuestions(operation: OperationName, target: ServiceTarget, credentials: Credentials, signal: AbortSignal) {
  const clients = [createSoapClient(target, credentials)];
  const through = async (client: (typeof clients)[number], args: Arguments): Promise<Outcome> => {
    try {
      return { shape: await client.shape(operation, args, { signal }) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure && isFault(failure)) return { fault: failure };
      throw error;
    }
  };
  return {
    /** Rejects with every failure that is neither a reply nor a fault. */
    ask: (args: Arguments): Promise<Outcome> => through(clients[0] as (typeof clients)[number], args),
    /**
     * Whether the service answers otherwise when a child is sent under a name that it cannot know. If so, it reads that
     * child under the connection's name. If not, nothing is known: services of this kind ignore unknown elements.
     */
    answersOtherwise: async (child: string, args: Arguments, usual: Outcome): Promise<boolean> => {
      const elementNames = { ...target.elementNames, [`${operation}.${child}`]: noElement };
      const client = createSoapClient({ ...target, elementNames }, credentials);
      clients.push(client);
      const name = wireName(target.elementNames, operation, child);
      try {
        return formOf(await through(client, args), name) !== formOf(usual, name);
      } catch (error) {
        // If the service refuses the unknown name with an HTTP status, it distinguishes it from the real one.
        if (failureOf(error)?.code === 'reply-unreadable') return true;
        throw error;
      }
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/**
 * The form by which two answers are compared: without the element's name, and in a fault without numbers that change
 * (times, lines).
 */
function formOf(outcome: Outcome, name: string): string {
  if ('shape' in outcome) return JSON.stringify(outcome.shape);
  const { serviceCode = '', raw = '' } = outcome.fault;
  const words = raw.replaceAll(noElement, '_').replaceAll(name, '_').replaceAll(/\d+/g, '#');
  return `${serviceCode} ${words}`;
}
