import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { TextField } from '../../parts/field.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';

/** Asks for the password of a PDF, which is used once. */
export function PasswordDialog(props: {
  readonly file: { readonly runId: string; readonly index: number };
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const unlock = useCall('verify.unlock');
  const [password, setPassword] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Confirm
      title={t('own.password.title')}
      confirm={t('own.password.read')}
      busy={unlock.busy}
      isDisabled={password === ''}
      onConfirm={() =>
        void unlock.run({ ...props.file, password }).then((answer) => {
          if (!answer.ok) return;
          if (!answer.value) return setWrong(true);
          props.onClose();
        })
      }
      onClose={props.onClose}
    >
      <p>{t('own.password.text')}</p>
      <TextField
        label={t('own.password.label')}
        type="password"
        value={password}
        onChange={(text) => {
          setPassword(text);
          setWrong(false);
        }}
        error={isWrong ? t('own.password.wrong') : undefined}
        maxLength={1024}
        autoFocus
      />
      {unlock.failure ? <FailureView failure={unlock.failure} /> : null}
    </Confirm>
  );
}
