import type { z } from 'zod';
import type { KeyValueTable } from '../../store/settings/key-values.ts';
import type { Keychain, Log } from '../foundation/ports.ts';
import type { Notices } from '../settings/app-calls.ts';

/**
 * Keeps secrets of one kind, one for each connection: in the keychain, or in memory for this run (`this-run`) if the keychain cannot
 * store them.
 */
export interface SecretEntries<T> {
  /** Tells where it is kept, without reading the keychain. */
  whereabouts(id: string): 'none' | 'keychain' | 'this-run';
  /** Null if there is none, or the keychain does not return it. Never rejects. */
  get(id: string): Promise<T | null>;
  /** Stores it and returns where it is kept. Never rejects because of the keychain. */
  set(id: string, secret: T): Promise<'keychain' | 'this-run'>;
  /** Forgets it. Never rejects: an entry that the keychain does not remove is not used any more. */
  forget(id: string): Promise<void>;
}

/** What every kind of secret needs. */
export interface SecretNeeds {
  readonly keychain: Keychain;
  /** Holds a mark per keychain entry: reading the keychain itself may take a minute or make a person unlock it. */
  readonly settings: KeyValueTable;
  readonly notices: Notices;
  /** Called with every secret that is used, so that texts can be cleaned of it. */
  readonly learn: (secret: string) => void;
  readonly log: Log;
}

interface Kind<T> {
  /** After the connection's id in the name of its entry; empty for the credentials. */
  readonly suffix: string;
  readonly form: z.ZodType<T>;
  /** The texts in it that must not get into a log. */
  readonly secretsOf: (secret: T) => readonly string[];
}

/** Opens the secrets of one kind. A keychain failure is logged and adds one notice per run. */
export function openSecretEntries<T>(needs: SecretNeeds, { suffix, form, secretsOf }: Kind<T>): SecretEntries<T> {
  const { keychain, settings, learn, log } = needs;
  const thisRun = new Map<string, T>();
  const marks = keychainMarks(settings, suffix);
  const accountOf = (id: string) => `${id}${suffix}`;
  const learnAll = (secret: T) => {
    for (const text of secretsOf(secret)) learn(text);
  };
  const readKeychain = async (id: string): Promise<T | null> => {
    let text: string | null;
    try {
      text = await keychain.get(accountOf(id));
    } catch {
      unavailable(needs, 'get', id);
      return null;
    }
    const secret = text === null ? null : parsed(form, text);
    if (text !== null && !secret) log.error('keychain entry is not readable', { connectionId: id });
    // A mark that was set meanwhile means that the entry is not to be used any more.
    if (marks.of(id) === 'forgotten') return null;
    marks.set(id, secret === null ? null : 'yes');
    return secret;
  };
  return {
    whereabouts: (id) => (thisRun.has(id) ? 'this-run' : marks.of(id) === 'yes' ? 'keychain' : 'none'),
    get: async (id) => {
      const secret = thisRun.get(id) ?? (marks.of(id) === 'forgotten' ? null : await readKeychain(id));
      if (secret) learnAll(secret);
      return secret;
    },
    set: async (id, secret) => {
      learnAll(secret);
      try {
        await keychain.set(accountOf(id), JSON.stringify(form.parse(secret)));
      } catch {
        unavailable(needs, 'set', id);
        thisRun.set(id, secret);
        return 'this-run';
      }
      thisRun.delete(id);
      marks.set(id, 'yes');
      return 'keychain';
    },
    forget: async (id) => {
      thisRun.delete(id);
      const wasMarked = marks.of(id) === 'yes';
      // Before the removal: a program that is killed here does not use the entry again.
      marks.set(id, 'forgotten');
      try {
        await keychain.remove(accountOf(id));
        marks.set(id, null);
      } catch {
        // Without a mark most keychains reject because there is no entry: only a failure to remove a marked entry is
        // reported.
        if (wasMarked) unavailable(needs, 'remove', id);
      }
    },
  };
}

/** The cause is not logged: it comes from foreign code that was given the secret. */
function unavailable({ log, notices }: SecretNeeds, operation: string, id: string): void {
  log.error('keychain failed', { doing: operation, connectionId: id });
  notices.addOnce('keychain-unavailable');
}

function parsed<T>(form: z.ZodType<T>, text: string): T | null {
  try {
    return form.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

type Mark = 'yes' | 'forgotten' | null;

/**
 * Marks which connections have an entry in the keychain, as far as this program knows. `forgotten`: an entry that the
 * keychain may still have.
 */
function keychainMarks(settings: KeyValueTable, suffix: string) {
  const markOf = (id: string) => `keychain.${id}${suffix}`;
  const of = (id: string): Mark => {
    const mark = settings.get(markOf(id));
    return mark === null ? null : mark === 'forgotten' ? 'forgotten' : 'yes';
  };
  return {
    of,
    set: (id: string, mark: Mark) => {
      if (of(id) === mark) return;
      if (mark === null) settings.remove(markOf(id));
      else settings.put(markOf(id), mark);
    },
  };
}
