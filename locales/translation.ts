/** Plural forms that a language has besides `_one` and `_other`, by the categories of `Intl.PluralRules`. French and Spanish say "2 millones de …". */
interface FurtherForms {
  readonly de: never;
  readonly fr: 'many';
  readonly es: 'many';
  readonly ar: 'zero' | 'two' | 'few' | 'many';
}

/** The keys that further plural forms add to a text with plural forms. */
type Further<K, Forms extends string> = K extends `${infer Base}_other` ? `${Base}_${Forms}` : never;

/**
 * The shape of texts in the language `L`: the English keys, `T`, and for each text with plural forms all forms of the language. A missing or surplus key
 * does not compile; a test compares the forms with `Intl.PluralRules`, and the placeholders.
 */
export type Translation<T, L extends keyof FurtherForms = 'de'> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K], L>;
} & {
  readonly [K in Further<keyof T, FurtherForms[L]>]: string;
};
