interface TrustedTypes {
  createPolicy(name: 'default', rules: { readonly createHTML: (html: string) => string | null }): unknown;
}

/**
 * React Aria empties its live region by `innerHTML = ''`, which throws if the page's policy (require-trusted-types-for) forbids it: changing a number
 * field would crash its screen. This policy allows the empty text only.
 */
export function letEmptyHtmlThrough(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
