import { z } from 'zod';

// Every contract file imports this one before it makes an object schema. Without it zod probes `eval` for a faster
// parser, which is a violation of the window's content security policy.
z.config({ jitless: true });

/**
 * One call that a window may make: the schema of its input (unknown keys refused, every string bounded) and, as a type only, its output. Output needs
 * no schema because it comes from the trusted side.
 */
export interface Call<In extends z.core.$ZodType = z.core.$ZodType, Out = unknown> {
  readonly input: In;
  /**
   * True if the call changed nothing yet when it fails because another program holds the database, or if its repetition changes nothing more and answers the
   * same. It waits for the database; others answer storage-busy, and the person tries again.
   */
  readonly repeatable: boolean;
  /** Exists only as a type. */
  readonly output?: Out;
}

type Fields = Readonly<Record<string, z.core.$ZodType>>;
type SchemaOf<In> = In extends z.core.$ZodType ? In : In extends Fields ? z.ZodObject<In, z.core.$strict> : never;

/** An object without further keys, for a schema that a run may not need: it is made when it is first asked for. `unwrap()` is the object's own. */
export const lazyObject = <F extends Fields>(fields: () => F) => z.lazy(() => z.strictObject(fields()));

/**
 * Declares a call by the fields of its input, or by a schema: `call(() => ({ … })).answers<Output>()`. The schema is made when it is first asked for: of all calls,
 * those of one run are few, and all of their schemas take as long as opening the data folder.
 */
export const call = <In extends z.core.$ZodType | Fields>(describe: () => In) => declared(describe, false);

/** The same of a call that is `repeatable`. */
export const repeatable = <In extends z.core.$ZodType | Fields>(describe: () => In) => declared(describe, true);

function declared<In extends z.core.$ZodType | Fields>(describe: () => In, isRepeatable: boolean) {
  const made = (given: z.core.$ZodType | Fields) => (given instanceof z.core.$ZodType ? given : z.strictObject(given));
  let input: SchemaOf<In> | undefined;
  return {
    answers: <Out>(): Call<SchemaOf<In>, Out> => ({
      repeatable: isRepeatable,
      get input() {
        input ??= made(describe()) as SchemaOf<In>;
        return input;
      },
    }),
  };
}

/** One event for a window. It comes from the trusted side, so a type is enough. */
export interface Event<T = unknown> {
  readonly value?: T;
}

export function event<T>(): Event<T> {
  return {};
}

/** Something was removed and can be put back a little longer than the window offers it, with `removals.putBack`. */
export interface Removed {
  readonly removal: string;
}

export type InputOf<C> = C extends Call<infer In, unknown> ? z.input<In> : never;
export type ParsedOf<C> = C extends Call<infer In, unknown> ? z.output<In> : never;
export type OutputOf<C> = C extends Call<z.core.$ZodType, infer Out> ? Out : never;
export type ValueOf<E> = E extends Event<infer T> ? T : never;
