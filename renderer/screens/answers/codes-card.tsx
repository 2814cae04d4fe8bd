import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { meaningText } from '../../features/jobs/meaning-text.ts';
import type { Sharing } from '../../features/team/sharing.ts';
import { ShareButtons, SharedBy } from '../../features/team/sharing-parts.tsx';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { Fold } from '../../parts/fold.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import css from './answers.module.css';
import type { KnownCode } from './known-words.ts';

/** Negative codes and their meanings: own ones first, then those that the team shares, then built-in ones. */
export function CodesCard(props: { readonly codes: readonly KnownCode[]; readonly sharing: Sharing }) {
  const { t } = useTranslation();
  const name = useCall('answers.nameCode');
  const [code, setCode] = useState('');
  const [meaning, setMeaning] = useState('');

  async function nameNow() {
    const named = await name.run({ code, meaning });
    if (!named.ok) return;
    setCode('');
    setMeaning('');
  }

  return (
    <Card title={t('answers.codes')}>
      <Form className={css.codeForm} onSubmit={() => void nameNow()}>
        <TextField label={t('answers.code')} value={code} onChange={setCode} mono error={name.failure?.fields?.code} />
        <TextField label={t('answers.meaning')} value={meaning} onChange={setMeaning} maxLength={500} />
        <Button type="submit" isDisabled={!/^-\d{1,10}$/.test(code)} isPending={name.busy}>
          {t('answers.nameCode')}
        </Button>
      </Form>
      <p className={looks.hint}>{t('answers.codesHelp')}</p>
      {name.failure && !name.failure.fields ? <FailureView failure={name.failure} /> : null}
      <Fold label={t('answers.codesCount', { count: props.codes.length })}>
        <table className={css.table}>
          <thead>
            <tr>
              <th>{t('answers.code')}</th>
              <th>{t('answers.meaning')}</th>
              <th>{t('answers.source')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {props.codes.map((one) => (
              <tr key={one.code}>
                <td>{one.code}</td>
                <td>{one.source === 'built-in' ? meaningText(t, one) : one.meaning}</td>
                <td>
                  {one.source === 'team' ? null : one.source === 'own' ? t('answers.own') : t('answers.builtIn')}
                  <SharedBy item={one.shared} />
                </td>
                <td className={css.end}>
                  {one.source === 'built-in' ? null : (
                    <ShareButtons sharing={props.sharing} own={one.own} shared={one.shared} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </Card>
  );
}
