type Words = Readonly<Record<string, { readonly heading: string }>>;

const headingsOf = <W extends Words>(words: W) =>
  Object.fromEntries(Object.entries(words).map(([key, { heading }]) => [key, heading])) as {
    readonly [Key in keyof W]: string;
  };

/** What happened, of all failures, for where there is no room for advice. */
export const failureHeadings = <C extends Words, D extends Words>(failures: {
  readonly code: C;
  readonly detail: D;
}) => ({
  code: headingsOf(failures.code),
  detail: headingsOf(failures.detail),
});
