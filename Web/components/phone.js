// A virtual iPhone: its lock screen, or its app when that is open.

import { h, replace } from '../dom.js';
import { icon } from './icon.js';
import { trayNotification } from './notification.js';

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/**
 * Draws a phone.
 * @param {Object} phone As the emulator lists it.
 * @param {Object[]} events What its app saw, newest first.
 * @param {(identifier: string) => any} ontap
 * @param {Date} now The emulator's time.
 */
export function drawPhone(element, phone, events, ontap, now) {
    const isOpen = phone.running && phone.foreground;
    element.className = `phone ${isOpen ? 'app-open' : ''} ${phone.running ? '' : 'app-off'}`;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', `Screen of ${phone.device}`);
    replace(
        element,
        h(
            'div',
            { class: 'screen' },
            h(
                'div',
                { class: 'status' },
                h('span', {}, clock.format(now)),
                h(
                    'span',
                    {},
                    icon(phone.online ? 'bolt' : 'plane'),
                    h('span', { class: 'visually-hidden' }, phone.online ? 'online' : 'flight mode'),
                ),
            ),
            isOpen ? openApp(phone, events) : lockScreen(phone, ontap, now),
            h('div', { class: 'home' }),
        ),
    );
    return element;
}

function lockScreen(phone, ontap, now) {
    const shown = [...phone.notifications].reverse();
    return [
        h('div', { class: 'clock' }, h('strong', {}, clock.format(now)), h('span', {}, date.format(now))),
        shown.length === 0
            ? h('div', { class: 'tray empty' }, phone.running ? 'No notifications' : 'The app does not run')
            : h(
                  'ul',
                  { class: 'tray', 'aria-label': `Notifications on ${phone.device}` },
                  shown.map((notification) =>
                      h(
                          'li',
                          {},
                          trayNotification(
                              {
                                  ...notification,
                                  image: notification.attachments?.length > 0,
                                  app: phone.bundle_id,
                              },
                              () => ontap(notification.identifier),
                          ),
                      ),
                  ),
              ),
    ];
}

function openApp(phone, events) {
    return [
        h('div', { class: 'app-name' }, 'Push demo'),
        h(
            'ul',
            { class: 'app-log', 'aria-label': `Messages in the app on ${phone.device}`, tabindex: '0' },
            phone.notifications.map((notification) => appMessage(notification)),
            events
                .slice(0, 12)
                .map((event) =>
                    event.event === 'willPresent'
                        ? appMessage(event, EVENTS.willPresent)
                        : h('li', { class: 'quietly' }, explain(event)),
                ),
            events.length === 0 &&
                phone.notifications.length === 0 &&
                h('li', { class: 'quietly' }, 'The app is open and waits for messages.'),
        ),
    ];
}

/** A notification as the open app shows it itself: iOS leaves it to the app then. */
function appMessage({ title, body }, note) {
    return h(
        'li',
        { class: 'message' },
        h('strong', { dir: 'auto' }, title),
        h('div', { dir: 'auto' }, body),
        note && h('div', { class: 'note' }, note),
    );
}

const EVENTS = {
    willPresent: 'Arrived while the app was open',
    didReceiveRemoteNotification: 'The app got a background push',
    didReceiveResponse: 'The person opened it',
    dismissed: 'The person put it away',
    didReceiveRemoteMessage: 'Came through the direct channel',
    directChannelUp: 'The direct channel is up',
    directChannelDown: 'The direct channel is down',
    messagesDeleted: 'Messages were deleted before they came',
    didSend: 'A message to the app server went out',
    sendFailed: 'A message to the app server failed',
    shown: 'On the screen',
    dropped: 'Dropped by the phone',
};

/** What an event means. @param {{event: string, reason?: string, title?: string, body?: string, action_identifier?: string}} event */
export function explain(event) {
    const isDismissal = event.action_identifier === 'com.apple.UNNotificationDismissActionIdentifier';
    const text = isDismissal ? 'The app heard that it was put away' : (EVENTS[event.event] ?? event.event);
    const content = event.title ?? event.body;
    return [
        text,
        event.reason && ` (${event.reason})`,
        content && ': ',
        content && h('span', { dir: 'auto' }, content),
    ].filter(Boolean);
}
