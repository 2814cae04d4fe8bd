import { type RefObject, useEffect } from 'react';

/** Keeps a trigger in sight when the window becomes smaller: what it opened is placed beside it, and must not lie outside of the window. */
export function useTriggerInSight(trigger: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const show = () => {
      if (trigger.current?.ariaExpanded === 'true') trigger.current.scrollIntoView({ block: 'nearest' });
    };
    // Before react-aria places its popovers anew.
    window.addEventListener('resize', show, { capture: true });
    return () => window.removeEventListener('resize', show, { capture: true });
  }, [trigger]);
}
