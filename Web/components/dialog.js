// Questions before what cannot be undone, and forms over a page.

import { h, uniqueID } from '../dom.js';
import { remove } from '../api.js';
import { reload } from '../reload.js';
import { announce } from '../shell.js';
import { button } from './page.js';
import { form } from './form.js';

/**
 * Opens a dialog. The browser keeps the focus inside, and gives it back.
 * @param {string} title
 * @param {(close: () => void) => any} content
 * @returns {HTMLDialogElement}
 */
export function dialog(title, content) {
    const id = uniqueID('dialog');
    const element = h('dialog', { 'aria-labelledby': id, onclose: () => element.remove() });
    element.append(
        h('h2', { id }, title),
        h(
            'div',
            {},
            content(() => element.close()),
        ),
    );
    document.body.append(element);
    element.showModal();
    window.addEventListener('hashchange', () => element.close(), { once: true });
    return element;
}

/**
 * Asks before something is done.
 * @param {string} title `Delete the app?`
 * @param {string} text What will happen.
 * @param {string} verb The button's text.
 * @param {() => Promise<any>} act
 */
export function ask(title, text, verb, act) {
    dialog(title, (close) =>
        form({
            content: h('p', {}, text),
            submit: verb,
            kind: 'danger',
            actions: button('Keep', close),
            send: async () => {
                await act();
                close();
            },
        }),
    );
}

/**
 * Asks, then takes something away and shows the page anew.
 * @param {string} title
 * @param {string} text
 * @param {string} verb
 * @param {string} place Its path in the API.
 * @param {string} said What is announced then.
 */
export function askToRemove(title, text, verb, place, said) {
    ask(title, text, verb, async () => {
        await remove(place);
        announce(said);
        reload();
    });
}

/** A form in a dialog, which closes when the server took it. */
export function formDialog(title, { content, submit, send }) {
    return dialog(title, (close) =>
        form({
            content,
            submit,
            actions: button('Cancel', close),
            send: async (values) => {
                await send(values);
                close();
            },
        }),
    );
}
