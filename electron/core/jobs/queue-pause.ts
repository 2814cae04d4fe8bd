import type { SettingTable } from '../../store/settings/settings.ts';

/** The pause of the whole queue. Kept over restarts. */
export interface QueuePause {
  isOn(): boolean;
  set(on: boolean): void;
  /** Reads the setting again: another program may have changed it. */
  readAgain(): void;
}

const settingKey = 'queue.paused';

/** Opens the pause in the settings table. */
export function queuePause(settings: SettingTable): QueuePause {
  const isStored = () => settings.get(settingKey) === 'yes';
  let isOn = isStored();
  return {
    isOn: () => isOn,
    set: (on) => {
      if (on) settings.put(settingKey, 'yes');
      else settings.remove(settingKey);
      isOn = on;
    },
    readAgain: () => {
      isOn = isStored();
    },
  };
}
