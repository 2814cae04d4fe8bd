import { useEffect } from 'react';
import type { Preferences } from '../../contract/app.ts';

/** Marks the page with the theme, and with high contrast if the person or, without a choice here, the system asks for it. */
export function useTheme(theme: Preferences['theme']): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'light' || theme === 'dark') dataset.theme = theme;
    else delete dataset.theme;
    const wished = matchMedia('(prefers-contrast: more)');
    const mark = () => {
      if (theme === 'contrast' || (theme === 'system' && wished.matches)) dataset.contrast = 'more';
      else delete dataset.contrast;
    };
    mark();
    wished.addEventListener('change', mark);
    return () => wished.removeEventListener('change', mark);
  }, [theme]);
}
