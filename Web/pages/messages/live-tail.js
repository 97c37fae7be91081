// Messages as they come, while the person wants to see them.

import { h, link, replace } from '../../dom.js';
import { downloadAddress, path } from '../../api.js';
import { announce } from '../../shell.js';
import { moment, word } from '../../format.js';
import { icon } from '../../components/icon.js';
import { notice } from '../../components/notice.js';
import { part } from '../../components/page.js';

const MAXIMUM_ROWS = 100;

/** @param {string} project @param {AbortSignal} signal The stream ends with the page. */
export function liveTail(project, signal) {
    const list = h('ol', { class: 'log', 'aria-label': 'Live', tabindex: '0' });
    const place = h('div', {});
    const titles = new Map();
    const button = h(
        'button',
        { type: 'button', 'aria-pressed': 'false', onclick: toggle },
        icon('bolt'),
        'Watch live',
    );
    let source;
    signal.addEventListener('abort', () => source?.close());
    return part('Live', { actions: button, lead: 'New messages and what becomes of them, while this is on.' }, place);

    function toggle() {
        const opens = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(opens));
        if (opens) open();
        else close();
    }

    function open() {
        replace(list);
        replace(place, h('p', { class: 'muted' }, 'Connecting …'), list);
        source = new EventSource(downloadAddress(`${path`/projects/${project}/messages`}:tail`));
        source.addEventListener('open', () => say('Waiting for messages …'));
        for (const name of ['accepted', 'delivery', 'report']) source.addEventListener(name, add);
        source.addEventListener('error', () => {
            if (source.readyState === EventSource.CLOSED)
                replace(place, notice('warning', 'The server ended it. Switch it on again.'), list);
        });
    }

    function close() {
        source?.close();
        announce('Live is off.');
    }

    function say(text) {
        const line = place.querySelector('p');
        if (line) line.textContent = text;
    }

    function add({ data }) {
        const event = JSON.parse(data);
        if (event.title) titles.set(event.messageId, event.title);
        place.querySelector('p')?.remove();
        list.prepend(h('li', {}, h('time', { datetime: event.at }, moment(event.at)), h('span', {}, words(event))));
        while (list.children.length > MAXIMUM_ROWS) list.lastChild.remove();
    }

    function words({ event, messageId, registrationId, reason }) {
        return [
            `${word(event)}: `,
            link(['projects', project, 'messages', messageId], h('bdi', {}, titles.get(messageId) ?? messageId)),
            registrationId && [
                ' → ',
                link(['projects', project, 'devices', registrationId], `device ${registrationId}`),
            ],
            reason && ` (${word(reason)})`,
        ];
    }
}
