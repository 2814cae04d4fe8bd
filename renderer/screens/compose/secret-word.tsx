import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import css from './compose.module.css';
import type { DraftForm } from './use-draft.ts';

/** A field for the secret word, which is kept with the draft and never shown again. */
export function SecretWord(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { secretWord, hasSecretWord } = draft.state;
  if (hasSecretWord && secretWord === null) {
    return (
      <div className={css.fileBox}>
        <span className={css.label}>{t('compose.secretWord')}</span>
        <div className={css.file}>
          <span>{t('compose.secretKept')}</span>
          <Button kind="quiet" onPress={() => draft.change((now) => ({ ...now, secretWord: '' }))}>
            {t('compose.secretChange')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <TextField
      label={t('compose.secretWord')}
      type="password"
      help={t('compose.secretHelp')}
      value={secretWord ?? ''}
      onChange={(value) => draft.change((now) => ({ ...now, secretWord: value }))}
      maxLength={200}
    />
  );
}
