import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import css from './connections.module.css';

/** The only way in for credentials. The fields are emptied as soon as they were handed over. */
export function CredentialsDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name, credentials } = props.connection;
  const { t } = useTranslation();
  const [apiKey, setApiKey] = useState('');
  const [apiSig, setApiSig] = useState('');
  const [told, setTold] = useState<string | null>(null);
  const save = useTask('connections.setCredentials');
  const forget = useTask('connections.forgetCredentials');
  const test = useTask('service.testCredentials');
  const failure = save.failure ?? forget.failure ?? test.failure;
  const ready = apiKey.trim() !== '' && apiSig.trim() !== '';

  async function saveNow() {
    if (!ready) return;
    test.clear();
    const saved = await save.run({ id, apiKey, apiSig });
    if (!saved.ok) return;
    setApiKey('');
    setApiSig('');
    setTold(t(saved.value.kept === 'keychain' ? 'connections.keptKeychain' : 'connections.keptThisRun'));
  }

  return (
    <Dialog
      title={t('connections.credentialsTitle', { name })}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={props.onClose}>{t('common.close')}</Button>
          <Button kind="primary" isDisabled={!ready} isPending={save.busy} onPress={() => void saveNow()}>
            {t('connections.saveCredentials')}
          </Button>
        </>
      }
    >
      <p>{t('connections.credentialsText')}</p>
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void saveNow();
        }}
      >
        <TextField
          label={t('connections.apiKey')}
          type="password"
          value={apiKey}
          onChange={setApiKey}
          maxLength={1000}
          autoFocus
          error={save.failure?.fields?.apiKey}
        />
        <TextField
          label={t('connections.apiSig')}
          type="password"
          value={apiSig}
          onChange={setApiSig}
          maxLength={1000}
          error={save.failure?.fields?.apiSig}
        />
        {/* A form with two fields is sent by Enter only where it has a button. */}
        <button type="submit" hidden />
      </form>
      <div className={css.actions} role="status">
        <Chip
          tone={credentials === 'none' ? 'silent' : 'confirmed'}
          icon={credentials === 'none' ? 'dashed' : undefined}
        >
          {t(`connections.credentials.${credentials}`)}
        </Chip>
        {told ? <span>{told}</span> : null}
      </div>
      {credentials === 'none' ? null : (
        <div className={css.actions}>
          <Button
            isPending={test.busy}
            onPress={async () => {
              const tested = await test.run({ connectionId: id });
              if (tested.ok) setTold(t('connections.accepted'));
            }}
          >
            {t('connections.testCredentials')}
          </Button>
          <Button
            kind="quiet"
            isPending={forget.busy}
            onPress={async () => {
              const gone = await forget.run({ id });
              if (gone.ok) setTold(t('connections.forgotten'));
            }}
          >
            {t('connections.forgetCredentials')}
          </Button>
        </div>
      )}
      {failure ? <FailureView failure={failure} subject={name} /> : null}
    </Dialog>
  );
}
