/** Plural categories that English does not have. */
type OtherPlurals<K> = K extends `${infer Base}_other` ? `${Base}_${'zero' | 'two' | 'few' | 'many'}` : never;

/**
 * The shape of texts in another language: the English keys, `T`, and plural forms that English does not need. A missing or surplus key does not
 * compile; tests check which plural forms a language needs, and the placeholders.
 */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]>;
} & {
  readonly [K in OtherPlurals<keyof T>]?: string;
};
