import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { fieldOf, newDraft, type SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

/** Paths, namespace, SOAP version. */
export function ServiceSection(props: SectionProps & { readonly practice: boolean }) {
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionService')}>
      <div className={looks.columns}>
        <Segments
          {...fieldOf(props, 'soapVersion')}
          label={t('connections.soapVersion')}
          choices={[
            { key: '1.1', text: '1.1' },
            { key: '1.2', text: '1.2' },
          ]}
        />
        {props.practice ? null : (
          <>
            <NamespaceField {...props} />
            <TextField {...fieldOf(props, 'mainPath')} label={t('connections.mainPath')} isRequired />
            <TextField {...fieldOf(props, 'easySignPath')} label={t('connections.easySignPath')} isRequired />
          </>
        )}
      </div>
      <WordingSection {...props} />
    </Card>
  );
}

/** An operation without parameters, as an example of the use of the namespace. */
const example = 'GetVersion';

/**
 * The namespace as typed, and its form in a request. The interface's ends with a slash; one without is accepted, because a service may differ, but
 * with a warning.
 */
function NamespaceField(props: SectionProps) {
  const { draft, set, lockedAt } = props;
  const { t } = useTranslation();
  const namespaceUri = draft.namespaceUri.trim();
  const isOdd = namespaceUri !== '' && !namespaceUri.endsWith('/');
  return (
    <div className={looks.stack1}>
      <TextField
        {...fieldOf(props, 'namespaceUri')}
        label={t('connections.namespaceUri')}
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
function WordingSection(props: SectionProps) {
  const { draft } = props;
  const { t } = useTranslation();
  const isSet = (['easySignSoapVersion', 'soapAction12', 'sendFalse'] as const).some(
    (name) => draft[name] !== newDraft[name],
  );
  return (
    <Fold label={t('connections.wording')} open={isSet}>
      <div className={looks.stack3}>
        <Segments
          {...fieldOf(props, 'easySignSoapVersion')}
          label={t('connections.easySignSoapVersion')}
          choices={[
            { key: 'main', text: t('connections.easySignSoapMain') },
            { key: '1.1', text: 'SOAP 1.1' },
            { key: '1.2', text: 'SOAP 1.2' },
          ]}
        />
        {(['soapAction12', 'sendFalse'] as const).map((name) => {
          const { value, onChange, locked } = fieldOf(props, name);
          return (
            <Checkbox key={name} locked={locked} isSelected={value} onChange={onChange}>
              {t(`connections.${name}`)}
            </Checkbox>
          );
        })}
      </div>
    </Fold>
  );
}
