import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

/** An operation without parameters, as an example of the use of the namespace. */
const example = 'GetVersion';

/**
 * The namespace as typed, and its form in a request. The interface's ends with a slash; one without is accepted, because a service may differ, but
 * with a warning.
 */
export function NamespaceField({ draft, set, errorAt, lockedAt }: SectionProps) {
  const { t } = useTranslation();
  const namespaceUri = draft.namespaceUri.trim();
  const isOdd = namespaceUri !== '' && !namespaceUri.endsWith('/');
  return (
    <div className={css.namespace}>
      <TextField
        label={t('connections.namespaceUri')}
        locked={lockedAt('namespaceUri')}
        value={draft.namespaceUri}
        onChange={(next) => set({ namespaceUri: next })}
        help={
          <>
            {isOdd ? (
              <span className={css.odd}>
                <TriangleAlert aria-hidden="true" />
                {t('connections.namespaceWarning')}
              </span>
            ) : (
              t('connections.namespaceHelp')
            )}
            {namespaceUri !== '' && draft.soapVersion === '1.1' ? (
              <span className={css.action}>
                {t('connections.soapAction')} <code>{`"${namespaceUri}${example}"`}</code>
              </span>
            ) : null}
          </>
        }
        error={errorAt('namespaceUri')}
        isRequired
      />
      {isOdd && !lockedAt('namespaceUri') ? (
        <div>
          <Button kind="quiet" onPress={() => set({ namespaceUri: `${namespaceUri}/` })}>
            {t('connections.addSlash')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
