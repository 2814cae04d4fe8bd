import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';

/** Ends the program to install an update, and says so if work is in progress. */
export function RestartButton() {
  const { t } = useTranslation();
  const restart = useCall('updates.restart');
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    const answer = await restart.run({});
    setBusy(answer.ok && answer.value === 'work-running');
  };
  return (
    <>
      {isBusy ? <span role="status">{t('settings.update.busy')}</span> : null}
      <Button onPress={() => void press()}>{t('settings.update.restart')}</Button>
    </>
  );
}
