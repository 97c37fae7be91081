// Custom data: texts that the app gets along with the notification.

import { h, replace } from '../../dom.js';
import { icon } from '../../components/icon.js';
import { button } from '../../components/page.js';
import { input, mark } from '../../components/form.js';
import { names } from './campaign.js';

/** Keys that the service uses itself, as its own check has them. */
const isReserved = (key) => key === 'from' || key === 'message_type' || /^(google|gcm)(\.|$)/i.test(key);

/** The editor of a campaign's custom data. @param {{data: Object}} options */
export function pairs(options) {
    const rows = Object.entries(options.data ?? {});
    const list = h('div', { class: 'pairs' });
    const group = h(
        'fieldset',
        {},
        h('legend', {}, 'Custom data'),
        h('p', { class: 'hint' }, 'Texts that the app gets along with the notification.'),
        list,
        button([icon('plus'), 'Add a pair'], add, 'quiet'),
    );
    const element = h('div', { class: 'field' }, group, h('p', { class: 'mistake', role: 'alert', hidden: true }));
    element.dataset.names = [...names('options.data'), ...rows.flatMap(([key]) => names(`options.data.${key}`))].join(
        ' ',
    );
    draw();
    return element;

    function add() {
        rows.push(['', '']);
        draw();
        list.lastChild.querySelector('input').focus();
    }

    function draw() {
        replace(
            list,
            rows.map((row, place) =>
                h(
                    'div',
                    {},
                    input('', {
                        value: row[0],
                        placeholder: 'Key',
                        'aria-label': `Key of pair ${place + 1}`,
                        spellcheck: 'false',
                        oninput: (event) => {
                            row[0] = event.target.value;
                            read();
                        },
                    }),
                    input('', {
                        value: row[1],
                        placeholder: 'Value',
                        dir: 'auto',
                        'aria-label': `Value of pair ${place + 1}`,
                        oninput: (event) => {
                            row[1] = event.target.value;
                            read();
                        },
                    }),
                    button(
                        icon('cross'),
                        () => {
                            rows.splice(place, 1);
                            read();
                            draw();
                        },
                        'quiet',
                        { 'aria-label': `Remove pair ${place + 1}` },
                    ),
                ),
            ),
        );
    }

    function read() {
        const reserved = rows.map(([key]) => key.trim()).find(isReserved);
        mark(element, reserved ? `${reserved} is reserved: choose another key.` : '');
        options.data = Object.fromEntries(rows.map(([key, value]) => [key.trim(), value]).filter(([key]) => key));
    }
}
