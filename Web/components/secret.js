// Secrets that are shown once.

import { h } from '../dom.js';
import { announce } from '../shell.js';
import { icon } from './icon.js';
import { button } from './page.js';
import { dialog } from './dialog.js';

/** A button that copies a text. @param {string} text @param {string} [label] What it is, for screen readers. */
function copyButton(text, label = 'Copy') {
    return button([icon('copy'), h('span', {}, 'Copy')], copy, 'quiet', { 'aria-label': label });

    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
            announce('Copied');
        } catch {
            announce('The browser does not let pages copy here: select the text and copy it.');
        }
    }
}

/** A short text in one line that can be copied: an id, a token. */
export function copyable(text, label) {
    return h('span', { class: 'copyable' }, h('code', { title: text }, text), copyButton(text, label));
}

/** Saves a text as a file. */
function save(name, text, type = 'application/json') {
    const address = URL.createObjectURL(new Blob([text], { type }));
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Shows a new secret in a dialog, which says that it comes once. @param {string} [file] The name to save it by. */
export function showSecret(title, text, { file, explanation } = {}) {
    return dialog(title, (close) => [
        h('p', {}, explanation ?? 'It is shown this once. Keep it where only your app server can read it.'),
        h('pre', { class: 'secret', tabindex: '0', 'aria-label': title }, text),
        h(
            'div',
            { class: 'actions' },
            copyButton(text, `Copy ${title}`),
            file && button([icon('download'), 'Save as file'], () => save(file, text)),
            button('I have it', close, 'primary'),
        ),
    ]);
}
