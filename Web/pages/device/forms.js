// What can be done with a device: send it a message, set its properties.

import { h, link, replace } from '../../dom.js';
import { post, put } from '../../api.js';
import { announce } from '../../shell.js';
import { icon } from '../../components/icon.js';
import { field, form, input, textArea } from '../../components/form.js';
import { reload } from '../../reload.js';

/** @param {string} project @param {string} place The device's path in the API. */
export function sendForm(project, place) {
    const way = h('p', { class: 'hint' });
    return form({
        content: [
            field('Title', input('title', { value: 'Test', dir: 'auto', maxlength: 200 }), {
                names: ['title', 'notification.title'],
            }),
            field('Text', textArea('body', { rows: 2, dir: 'auto', maxlength: 1000 }), {
                names: ['body', 'notification.body'],
            }),
        ],
        submit: [icon('send'), 'Send it'],
        kind: '',
        actions: way,
        send: async ({ title, body }) => {
            const { messageId } = await post(`${place}:send`, { notification: { title, body } });
            announce('It is on its way.');
            replace(way, link(['projects', project, 'messages', messageId], 'What became of it'));
        },
    });
}

/** @param {string} place @param {Object<string, string>} properties Those that it has. */
export function propertiesForm(place, properties) {
    const names = Object.keys(properties);
    const text = textArea('properties', { rows: Math.min(10, names.length + 2), spellcheck: 'false' });
    text.value = names.map((name) => `${name} = ${properties[name]}`).join('\n');
    return form({
        content: field('Properties', text, { hint: 'One a line: plan = pro' }),
        submit: 'Save',
        kind: '',
        send: async (values) => {
            const removed = Object.fromEntries(names.map((name) => [name, null]));
            await put(`${place}/properties`, { ...removed, ...pairsOf(values.properties) });
            announce('The properties are saved.');
            reload();
        },
    });
}

function pairsOf(text) {
    const lines = text.split('\n').filter((line) => line.trim());
    return Object.fromEntries(
        lines.map((line) => {
            const [name, value = ''] = line.split(/=(.*)/s);
            return [name.trim(), value.trim()];
        }),
    );
}
