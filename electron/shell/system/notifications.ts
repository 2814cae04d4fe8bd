import { Notification } from 'electron';
import type { Notifications } from '../../core/foundation/ports.ts';
import { notificationBody } from './notification-body.ts';

/** Desktop notifications. `reveal` brings the window to the front when one is clicked. */
export function createNotifications(reveal: () => void): Notifications {
  // References are kept: a notification that is garbage-collected while it is on the screen can no longer be clicked.
  const shown = new Set<Notification>();
  const show = (title: string, body: string, onClick: () => void) => {
    const notification = new Notification({ title, body });
    shown.add(notification);
    const forget = () => shown.delete(notification);
    notification.once('click', () => {
      forget();
      reveal();
      onClick();
    });
    notification.once('close', forget);
    notification.once('failed', forget);
    notification.show();
  };
  return {
    show({ title, body }, onClick) {
      if (Notification.isSupported()) void notificationBody(body).then((safe) => show(title, safe, onClick));
    },
  };
}
