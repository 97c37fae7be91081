// A virtual iPhone with its switches and the log of its app.

import { h, link, replace } from '../../dom.js';
import { emulator } from '../../api.js';
import { announce } from '../../shell.js';
import { icon } from '../../components/icon.js';
import { badge } from '../../components/notice.js';
import { button } from '../../components/page.js';
import { drawPhone, explain } from '../../components/phone.js';

const times = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });

/**
 * @param {string} project
 * @param {string} name `iphone-1`
 * @param {() => Promise<any>} refresh
 * @returns {{element: HTMLElement, update: (phone: Object, events: Object[], now: Date) => void}}
 */
export function phoneCard(project, name, refresh) {
    const picture = h('div', {});
    const state = h('span', {});
    const switches = h('div', { class: 'phone-actions', role: 'group', 'aria-label': `Switches of ${name}` });
    const log = h('ol', { class: 'log', 'aria-label': `App log of ${name}`, tabindex: '0' });
    const details = h('details', {}, h('summary', {}, 'App log'), log);
    const more = h('p', { class: 'hint' });
    let drawn = '';
    const element = h(
        'section',
        { class: 'part phone-card', 'aria-label': name, 'data-device': name },
        h('div', { class: 'heading' }, h('h2', {}, name), state),
        picture,
        switches,
        details,
        more,
    );
    return { element, update };

    function update(phone, events, now) {
        // A phone is drawn anew when something changed, so that the focus and a half-read log stay.
        const looks = JSON.stringify([phone, events.length, events[0]?.at_ms, Math.floor(now.valueOf() / 60_000)]);
        if (looks === drawn) return;
        drawn = looks;
        const focused = element.contains(document.activeElement)
            ? (document.activeElement.dataset.act ?? document.activeElement.dataset.notification)
            : undefined;
        drawPhone(picture, phone, events, tap, now);
        replace(
            state,
            badge(
                phone.running ? (phone.foreground ? 'App open' : 'Locked') : 'App not running',
                phone.running ? 'good' : 'plain',
            ),
            phone.online ? null : [' ', badge('Offline', 'warning')],
            phone.badge > 0 && [' ', badge(`Badge ${phone.badge}`, 'bad')],
        );
        replace(switches, actions(phone));
        replace(
            log,
            events.length
                ? events.map((event) =>
                      h('li', {}, h('time', {}, times.format(new Date(event.at_ms))), h('span', {}, explain(event))),
                  )
                : h('li', {}, 'Nothing yet.'),
        );
        replace(
            more,
            phone.token || phone.fid
                ? link(['projects', project, 'devices', phone.token ?? phone.fid], 'What the server knows of it')
                : 'It is not registered.',
        );
        if (focused)
            element
                .querySelector(`[data-act="${CSS.escape(focused)}"], [data-notification="${CSS.escape(focused)}"]`)
                ?.focus();
    }

    function actions(phone) {
        return [
            phone.running && phone.foreground && act('background', 'lock', 'Lock the phone'),
            phone.running && !phone.foreground && act('foreground', 'app', 'Open the app'),
            phone.notifications.length > 0 &&
                button([icon('tap'), 'Tap the newest'], () => tap(), '', { 'data-act': 'tap' }),
            phone.notifications.length > 0 && act('dismiss', 'cross', 'Put the newest away'),
            phone.online ? act('offline', 'plane', 'Go offline') : act('online', 'plane', 'Go online'),
            phone.running ? act('terminate', 'cross', 'End the app') : act('launch', 'app', 'Start the app'),
            button('Uninstall', () => perform('POST', ':uninstall', {}), '', { 'data-act': 'uninstall' }),
            button('Take away', () => perform('DELETE', ''), 'quiet danger', {
                'data-act': 'remove',
                'aria-label': `Take ${name} away`,
            }),
        ];
    }

    function act(verb, drawing, text) {
        return button([icon(drawing), text], () => perform('POST', `:${verb}`, {}), '', { 'data-act': verb });
    }

    async function tap(identifier) {
        await perform('POST', ':tap', identifier ? { message_id: identifier } : {});
    }

    async function perform(method, verb, body) {
        try {
            await emulator(method, `/devices/${encodeURIComponent(name)}${verb}`, body);
            await refresh();
        } catch (error) {
            announce(error.message);
        }
    }
}
