import type { KeyValueTable } from '../../store/settings/key-values.ts';

/** The pause of the whole queue. Kept over restarts. */
export type QueuePause = ReturnType<typeof queuePause>;

const settingKey = 'queue.paused';

/** Opens the pause in the settings table. */
export function queuePause(settings: KeyValueTable) {
  const isStored = () => settings.get(settingKey) === 'yes';
  let isOn = isStored();
  return {
    isOn: (): boolean => isOn,
    set: (on: boolean): void => {
      if (on) settings.put(settingKey, 'yes');
      else settings.remove(settingKey);
      isOn = on;
    },
    /** Reads the setting again: another program may have changed it. */
    readAgain: (): void => {
      isOn = isStored();
    },
  };
}
