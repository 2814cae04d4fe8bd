import '../styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { languageFor } from '../../locales/choose-language.ts';
import { App } from './app.tsx';
import { createTexts } from './i18n.ts';

letEmptyHtmlThrough();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The person's own setting is not known until the core has answered. Not awaited here: files that are loaded later import this one, and would wait for it.
void createTexts(languageFor('system', navigator.languages), navigator.languages).then((texts) =>
  createRoot(root).render(
    <StrictMode>
      <App texts={texts} />
    </StrictMode>,
  ),
);

interface TrustedTypes {
  createPolicy(name: 'default', rules: { readonly createHTML: (html: string) => string | null }): unknown;
}

/**
 * React Aria empties its live region by `innerHTML = ''`, which throws if the page's policy (require-trusted-types-for) forbids it: changing a number
 * field would crash its screen. This policy allows the empty text only.
 */
function letEmptyHtmlThrough(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
