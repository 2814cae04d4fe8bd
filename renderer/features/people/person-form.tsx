import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isEmail } from '../../../contract/email.ts';
import { type Person, peopleLimits } from '../../../contract/people.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Adds a person to the address book, or changes one. */
export function PersonForm(props: { readonly was: Person | null; readonly onClose: () => void }) {
  const { was } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(was?.name ?? '');
  const [email, setEmail] = useState(was?.email ?? '');
  const [tried, setTried] = useState(false);
  const save = useCall('people.save');
  const problem = save.failure?.fields?.email;
  const refused = problem && (problem === 'has no room' ? t('people.full') : t('people.twice'));
  const error = tried && !isEmail(email.trim()) ? t('compose.problem.email-invalid') : refused;

  async function saveNow() {
    setTried(true);
    if (!isEmail(email.trim())) return;
    const saved = await save.run({ ...(was ? { was: was.email } : {}), name, email });
    if (saved.ok) props.onClose();
  }

  return (
    <Dialog
      title={was ? t('people.editTitle') : t('people.addTitle')}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isPending={save.busy} onPress={() => void saveNow()}>
          {t('people.save')}
        </Button>
      }
    >
      <Form className={looks.stack} onSubmit={() => void saveNow()}>
        <TextField
          label={t('compose.name')}
          value={name}
          onChange={setName}
          autoFocus
          maxLength={peopleLimits.nameCharacters}
        />
        <TextField
          label={t('compose.email')}
          type="email"
          value={email}
          onChange={(value) => {
            setEmail(value);
            save.clear();
          }}
          error={error}
          maxLength={peopleLimits.emailCharacters}
        />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
      {save.failure && save.failure.fields?.email === undefined ? <FailureView failure={save.failure} /> : null}
    </Dialog>
  );
}
