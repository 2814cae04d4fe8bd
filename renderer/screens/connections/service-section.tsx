import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { newDraft, type SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

/** Paths, namespace, SOAP version. */
export function ServiceSection(props: SectionProps & { readonly practice: boolean }) {
  const { draft, set, errorAt, lockedAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionService')}>
      <div className={looks.columns}>
        <Segments
          label={t('connections.soapVersion')}
          locked={lockedAt('soapVersion')}
          value={draft.soapVersion}
          onChange={(soapVersion) => set({ soapVersion })}
          choices={[
            { key: '1.1', text: '1.1' },
            { key: '1.2', text: '1.2' },
          ]}
        />
        {props.practice ? null : (
          <>
            <NamespaceField draft={draft} set={set} errorAt={errorAt} lockedAt={lockedAt} />
            <TextField
              label={t('connections.mainPath')}
              locked={lockedAt('mainPath')}
              value={draft.mainPath}
              onChange={(mainPath) => set({ mainPath })}
              error={errorAt('mainPath')}
              isRequired
            />
            <TextField
              label={t('connections.easySignPath')}
              locked={lockedAt('easySignPath')}
              value={draft.easySignPath}
              onChange={(easySignPath) => set({ easySignPath })}
              error={errorAt('easySignPath')}
              isRequired
            />
          </>
        )}
      </div>
      <WordingSection draft={draft} set={set} errorAt={errorAt} lockedAt={lockedAt} />
    </Card>
  );
}

/** An operation without parameters, as an example of the use of the namespace. */
const example = 'GetVersion';

/**
 * The namespace as typed, and its form in a request. The interface's ends with a slash; one without is accepted, because a service may differ, but
 * with a warning.
 */
function NamespaceField({ draft, set, errorAt, lockedAt }: SectionProps) {
  const { t } = useTranslation();
  const namespaceUri = draft.namespaceUri.trim();
  const isOdd = namespaceUri !== '' && !namespaceUri.endsWith('/');
  return (
    <div className={looks.stack1}>
      <TextField
        label={t('connections.namespaceUri')}
        locked={lockedAt('namespaceUri')}
        value={draft.namespaceUri}
        onChange={(next) => set({ namespaceUri: next })}
        help={
          <>
            {isOdd ? (
              <span className={`${looks.row} ${looks.caution}`}>
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

/** Settings for services whose requests differ from the interface. Folded until one of them is set. */
function WordingSection({ draft, set, lockedAt }: SectionProps) {
  const { t } = useTranslation();
  const isSet = (['easySignSoapVersion', 'soapAction12', 'sendFalse'] as const).some(
    (name) => draft[name] !== newDraft[name],
  );
  return (
    <Fold label={t('connections.wording')} open={isSet}>
      <div className={looks.stack3}>
        <Segments
          label={t('connections.easySignSoapVersion')}
          locked={lockedAt('easySignSoapVersion')}
          value={draft.easySignSoapVersion}
          onChange={(easySignSoapVersion) => set({ easySignSoapVersion })}
          choices={[
            { key: 'main', text: t('connections.easySignSoapMain') },
            { key: '1.1', text: 'SOAP 1.1' },
            { key: '1.2', text: 'SOAP 1.2' },
          ]}
        />
        <Checkbox
          locked={lockedAt('soapAction12')}
          isSelected={draft.soapAction12}
          onChange={(soapAction12) => set({ soapAction12 })}
        >
          {t('connections.soapAction12')}
        </Checkbox>
        <Checkbox
          locked={lockedAt('sendFalse')}
          isSelected={draft.sendFalse}
          onChange={(sendFalse) => set({ sendFalse })}
        >
          {t('connections.sendFalse')}
        </Checkbox>
      </div>
    </Fold>
  );
}
