import type { SettingTable } from '../../store/settings/settings.ts';

/** Whether everything is paused. Kept over restarts. */
export interface QueuePause {
  isOn(): boolean;
  set(on: boolean): void;
  /** Another program may have set it. */
  readAgain(): void;
}

const settingKey = 'queue.paused';

export function queuePause(settings: SettingTable): QueuePause {
  const kept = () => settings.get(settingKey) === 'yes';
  let isOn = kept();
  return {
    isOn: () => isOn,
    set: (on) => {
      if (on) settings.put(settingKey, 'yes');
      else settings.remove(settingKey);
      isOn = on;
    },
    readAgain: () => {
      isOn = kept();
    },
  };
}
