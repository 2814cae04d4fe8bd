import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from './account-store.ts';
import type { Seals } from './pdf-file.ts';
import type { Account, SignEntry } from './records.ts';
import type { ReceivedDocument } from './wire/document-sink.ts';
import type { ScannedRequest } from './wire/request-scanner.ts';

/** The state and settings that every operation uses. */
export interface Service {
  readonly store: Store;
  readonly seals: Seals;
  readonly baseUrl: string;
  readonly processingMs: number;
  /** May change while the service runs. */
  readonly settings: {
    limits: Limits;
    /** Number of entries after which a nil entry follows in a list; 0 for none. */
    nilEntryEvery: number;
    easySignAnswers: Readonly<Record<'AddNewEasySignDocument' | 'AddNewEasySignTemplate', EasySignAnswer>>;
  };
  /** The account of a pair of credentials; throws a Refusal. */
  accountOf(apiKey: string, apiSig: string): Account;
}

/** Content of `<Operation>Result`; null omits the element, as such servers do. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'list'; readonly entries: readonly (SignEntry | null)[] | null }
  | { readonly kind: 'file'; readonly path: string; readonly sizeBytes: number }
  | { readonly kind: 'nothing' };

/** A business error: HTTP 200 and a negative number if the result's type can hold one. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(String(code));
    this.code = code;
  }
}

/** A request's children by type. Absent ones are '', 0 and false, as such servers read them. */
export type Arguments = ReturnType<typeof argumentsOf>;

export function argumentsOf({ children }: ScannedRequest) {
  const text = (name: string): string => {
    const value = children.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    text,
    /** Null if the child is absent, nil or empty. */
    optional: (name: string): string | null => text(name) || null,
    int: (name: string): number => Number(text(name).trim()),
    bool: (name: string): boolean => /^(true|1)$/.test(text(name).trim()),
    document(name: string): ReceivedDocument | null {
      const value = children.get(name);
      return value && typeof value === 'object' ? value : null;
    },
  };
}

export interface Limits {
  /** A larger document answers -143. */
  readonly documentBytes: number;
  /** All documents of an account together; more answers -182. */
  readonly accountBytes: number;
}

/** The answer of an Easy Sign operation: the interface leaves it open, so the service offers both. */
export type EasySignAnswer = 'id' | 'url';

/** Credentials of accounts. */
export type Keys = ReturnType<typeof makeKeys>;

export function makeKeys(store: Store) {
  const issued = new Map<string, { readonly accountId: string; readonly apiSig: string }>();
  return {
    /** Creates credentials for an account; they are valid while the service runs. */
    issue(accountId: string): { readonly apiKey: string; readonly apiSig: string } {
      const [apiKey, apiSig] = [randomBytes(16).toString('hex'), randomBytes(24).toString('hex')];
      issued.set(apiKey, { accountId, apiSig });
      return { apiKey, apiSig };
    },
    /** Throws -121 for an unknown key, -122 for a wrong signature. */
    accountOf(apiKey: string, apiSig: string): Account {
      const found = issued.get(apiKey);
      const account = found && store.accounts.get(found.accountId);
      if (!account) throw new Refusal(-121);
      if (!timingSafeEqual(digest(apiSig), digest(found.apiSig))) throw new Refusal(-122);
      return account;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
