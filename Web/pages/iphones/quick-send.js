// A few words to a virtual iPhone, without leaving the page that shows it.

import { address, h, link, replace } from '../../dom.js';
import { path, post } from '../../api.js';
import { announce } from '../../shell.js';
import { icon } from '../../components/icon.js';
import { field, form, input, select, textArea } from '../../components/form.js';

/**
 * @param {string} project
 * @param {() => Promise<any>} refresh
 * @returns {{element: HTMLElement, update: (phones: Object[]) => void, focus: (device: string) => void}}
 */
export function quickSend(project, refresh) {
    const receiver = select('device', []);
    const title = input('title', { value: 'Hello 👋', maxlength: 200, dir: 'auto' });
    const text = textArea('body', { rows: 2, dir: 'auto', maxlength: 1000 });
    text.value = 'Your first notification.';
    const composer = h('a', { class: 'button', href: '#/' }, 'Open in the composer');
    const way = h('p', { class: 'hint' });
    let known = '';
    const element = form({
        content: [
            h(
                'div',
                { class: 'row' },
                field('To', receiver),
                field('Title', title, { names: ['title', 'notification.title'] }),
            ),
            field('Text', text, { names: ['body', 'notification.body'] }),
        ],
        submit: [icon('send'), 'Send it'],
        actions: [composer, way],
        send: async ({ device, title: heading, body }) => {
            const place = path`/projects/${project}/devices/${device}`;
            const { messageId } = await post(`${place}:send`, { notification: { title: heading, body } });
            announce('It is on its way.');
            replace(way, link(['projects', project, 'messages', messageId], 'What became of it'));
            await refresh();
        },
    });
    receiver.addEventListener('change', aim);
    return { element, update, focus };

    function update(phones) {
        const choices = phones.map((phone) => [phone.token ?? phone.fid ?? '', phone.device]);
        if (JSON.stringify(choices) === known) return;
        known = JSON.stringify(choices);
        const chosen = receiver.value;
        replace(
            receiver,
            choices.map(([value, name]) =>
                h(
                    'option',
                    { value, selected: value === chosen, disabled: !value },
                    value ? name : `${name} (not registered)`,
                ),
            ),
        );
        aim();
    }

    function aim() {
        composer.href = address(['projects', project, 'campaigns', 'new'], { device: receiver.value });
    }

    function focus(device) {
        const found = [...receiver.options].find((option) => option.textContent === device);
        if (found) receiver.value = found.value;
        aim();
        title.focus();
    }
}
