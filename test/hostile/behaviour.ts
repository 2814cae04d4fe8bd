import type { TlsOptions } from 'node:tls';
import type { OperationName } from '../../contract/operation.ts';
import type { RawPeer } from '../harness/raw-server.ts';

/** What is asked while the server misbehaves: an operation of the interface, or the WSDL. */
export type Question = OperationName | 'WSDL';
export type SoapVersion = '1.1' | '1.2';

/** The question, as a server that answers it needs it. */
export interface Asked {
  readonly operation: Question;
  readonly soap: SoapVersion;
  /** The address of a server that no request may reach. */
  readonly elsewhere: string;
}

/** Misbehaves on one connection. */
export type Serve = (peer: RawPeer, asked: Asked, index: number) => void | Promise<void>;

/**
 * `code/detail` of the failure that is right, `ok`, or several of them with `|` where the network decides which one happens. `#N`: the exit code of the
 * command line if it does not follow from the failure.
 */
export type Expected = string;

export interface Bounds {
  /** Largest growth of the process. */
  readonly memoryMb?: number;
  /** Longest time, for a machine that may be busy. */
  readonly seconds?: number;
  /** The document to be sent has six megabytes instead of a few bytes. */
  readonly large?: boolean;
  readonly soap?: SoapVersion;
  /** Value of MaxItems. */
  readonly maxItems?: number;
  readonly tls?: () => TlsOptions;
  /** The address is https, and the server knows no TLS. */
  readonly plainTls?: boolean;
  /** Nothing listens at the address until the next call. */
  readonly absent?: boolean;
  /** The result that the answer must have, if it is ok. */
  readonly result?: RegExp;
}

/** Name, the moment, what the server does, and what must come of each question. */
export type Row = readonly [string, string, Serve, Readonly<Partial<Record<Question, Expected>>>, Bounds?];

/** One line of the table: one behaviour with one question. */
export interface Behaviour extends Bounds {
  readonly group: string;
  readonly name: string;
  readonly moment: string;
  readonly serve: Serve;
  readonly operation: Question;
  readonly soap: SoapVersion;
  readonly expected: readonly string[];
  readonly exits: readonly number[];
}

const exitOf: Readonly<Record<string, number>> = {
  ok: 0,
  'service-refused': 1,
  'credentials-rejected': 1,
  'bad-input': 2,
  'outcome-unknown': 3,
  'service-unreachable': 4,
  'service-timeout': 4,
  'reply-unreadable': 4,
};

/** The rows of a group, one behaviour per question; the SOAP versions take turns. */
export function behavioursOf(group: string, rows: readonly Row[]): Behaviour[] {
  let count = 0;
  return rows.flatMap(([name, moment, serve, questions, bounds = {}]) =>
    Object.entries(questions).map(([operation, text]) => {
      const alternatives = text.split('|').map((one) => one.split('#'));
      const soap: SoapVersion = bounds.soap ?? (count++ % 2 === 0 ? '1.1' : '1.2');
      return {
        group,
        name,
        moment,
        serve,
        operation: operation as Question,
        soap,
        ...bounds,
        expected: alternatives.map(([expected = '']) => expected),
        exits: alternatives.map(([expected = '', exit]) => Number(exit ?? exitOf[expected.split('/')[0] ?? ''])),
      };
    }),
  );
}
