interface TrustedTypes {
  createPolicy(name: 'default', rules: { readonly createHTML: (html: string) => string | null }): unknown;
}

/**
 * React Aria empties its live region by `innerHTML = ''`, and throws where the page's policy (require-trusted-types-for) forbids it: a number
 * field that is changed would take its screen with it. The empty text is let through, and nothing else.
 */
export function letEmptyHtmlThrough(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
