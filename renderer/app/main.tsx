import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/base.css';
import { languageFor } from '../../locales/choose-language.ts';
import { App } from './app.tsx';
import { letEmptyHtmlThrough } from './empty-html.ts';
import { createTexts } from './i18n.ts';

letEmptyHtmlThrough();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The person's own setting is not known until the core has answered.
const texts = await createTexts(languageFor('system', navigator.languages), navigator.languages);
createRoot(root).render(
  <StrictMode>
    <App texts={texts} />
  </StrictMode>,
);
