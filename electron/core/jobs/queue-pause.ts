import type { SettingTable } from '../../store/settings.ts';

/** Whether everything is paused. Kept over restarts. */
export interface QueuePause {
  isOn(): boolean;
  set(on: boolean): void;
}

const settingKey = 'queue.paused';

export function queuePause(settings: SettingTable): QueuePause {
  let isOn = settings.get(settingKey) === 'yes';
  return {
    isOn: () => isOn,
    set: (on) => {
      if (on) settings.put(settingKey, 'yes');
      else settings.remove(settingKey);
      isOn = on;
    },
  };
}
