import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import css from './connections.module.css';

/** Sets credentials, which cannot be read back. The fields are emptied as soon as they were sent to the core. */
export function CredentialsDialog(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name, credentials } = props.connection;
  const { t } = useTranslation();
  const [apiKey, setApiKey] = useState('');
  const [apiSig, setApiSig] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const save = useCall('connections.setCredentials');
  const forget = useCall('connections.forgetCredentials');
  const test = useCall('service.testCredentials');
  const failure = save.failure ?? forget.failure ?? test.failure;
  const ready = apiKey.trim() !== '' && apiSig.trim() !== '';

  async function saveNow() {
    if (!ready) return;
    test.clear();
    const saved = await save.run({ id, apiKey, apiSig });
    if (!saved.ok) return;
    setApiKey('');
    setApiSig('');
    setMessage(t(saved.value.kept === 'keychain' ? 'connections.keptKeychain' : 'connections.keptThisRun'));
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
      <CredentialsForm
        apiKey={apiKey}
        apiSig={apiSig}
        errors={save.failure?.fields ?? {}}
        onApiKey={setApiKey}
        onApiSig={setApiSig}
        onSubmit={() => void saveNow()}
      />
      <div className={css.actions} role="status">
        <Chip
          tone={credentials === 'none' ? 'silent' : 'confirmed'}
          icon={credentials === 'none' ? 'dashed' : undefined}
        >
          {t(`connections.credentials.${credentials}`)}
        </Chip>
        {message ? <span>{message}</span> : null}
      </div>
      {credentials === 'none' ? null : (
        <KeptCredentials connectionId={id} test={test} forget={forget} onMessage={setMessage} />
      )}
      {failure ? <FailureView failure={failure} subject={name} /> : null}
    </Dialog>
  );
}

function CredentialsForm(props: {
  readonly apiKey: string;
  readonly apiSig: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly onApiKey: (text: string) => void;
  readonly onApiSig: (text: string) => void;
  readonly onSubmit: () => void;
}) {
  const { t } = useTranslation();
  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <TextField
        label={t('connections.apiKey')}
        type="password"
        value={props.apiKey}
        onChange={props.onApiKey}
        maxLength={1000}
        autoFocus
        error={props.errors.apiKey}
      />
      <TextField
        label={t('connections.apiSig')}
        type="password"
        value={props.apiSig}
        onChange={props.onApiSig}
        maxLength={1000}
        error={props.errors.apiSig}
      />
      {/* A form with two fields is submitted by Enter only if it has a button. */}
      <button type="submit" hidden />
    </form>
  );
}

/** Tests the stored credentials, or removes them. */
function KeptCredentials(props: {
  readonly connectionId: string;
  readonly test: ReturnType<typeof useCall<'service.testCredentials'>>;
  readonly forget: ReturnType<typeof useCall<'connections.forgetCredentials'>>;
  readonly onMessage: (text: string) => void;
}) {
  const { connectionId, test, forget } = props;
  const { t } = useTranslation();
  return (
    <div className={css.actions}>
      <Button
        isPending={test.busy}
        onPress={async () => {
          const tested = await test.run({ connectionId });
          if (tested.ok) props.onMessage(t('connections.accepted'));
        }}
      >
        {t('connections.testCredentials')}
      </Button>
      <Button
        kind="quiet"
        isPending={forget.busy}
        onPress={async () => {
          const gone = await forget.run({ id: connectionId });
          if (gone.ok) props.onMessage(t('connections.forgotten'));
        }}
      >
        {t('connections.forgetCredentials')}
      </Button>
    </div>
  );
}
