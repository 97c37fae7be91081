// A notification as iOS draws it: in the tray, and opened.

import { h, replace } from '../dom.js';
import { icon } from './icon.js';
import { button } from './page.js';

/**
 * @typedef {Object} Shown
 * @property {string} [title]
 * @property {string} [body]
 * @property {string} [image] An address, or a word that there is one.
 */

/** The words of a notification, in the direction of their script. */
function words({ title, body, app }) {
    return h(
        'span',
        { class: 'words' },
        h('span', { class: 'title', dir: 'auto' }, title || app || ''),
        h('span', { class: 'text', dir: 'auto' }, body ?? ''),
    );
}

function card(kind, shown, picture, tag = 'div', attributes = {}) {
    return h(
        tag,
        { class: `banner-card ${kind}`, ...attributes },
        kind === 'expanded' && picture,
        h('span', { class: 'app-icon' }, icon('bell')),
        words(shown),
        kind === 'collapsed' ? (picture ?? h('span', { class: 'when' }, 'now')) : h('span', { class: 'when' }, 'now'),
    );
}

/** A notification in the tray of a phone; a click taps it. @param {Shown} shown @param {() => any} ontap */
export function trayNotification(shown, ontap) {
    const picture = shown.image
        ? h('span', { class: 'when' }, icon('image'), h('span', { class: 'visually-hidden' }, 'with an image'))
        : undefined;
    return card('collapsed', shown, picture, 'button', {
        type: 'button',
        onclick: ontap,
        'data-notification': shown.identifier,
    });
}

/**
 * The preview beside the composer: collapsed and expanded. Images are loaded when the person asks, as their address may
 * lead to another server.
 * @returns {{element: HTMLElement, update: (shown: Shown) => void}}
 */
export function preview() {
    const place = h('div', { class: 'preview', role: 'group', 'aria-label': 'Preview on an iPhone' });
    const ask = h('div', {});
    const element = h('div', {}, place, ask);
    let allowed = '';
    let last = {};
    return { element, update };

    function update(shown) {
        last = shown;
        const loads = shown.image && shown.image === allowed;
        replace(
            place,
            h('h3', {}, 'On an iPhone, collapsed'),
            card('collapsed', shown, loads ? h('img', { class: 'thumbnail', src: shown.image, alt: '' }) : undefined),
            h('h3', {}, 'Expanded'),
            card(
                'expanded',
                shown,
                loads ? large(shown.image) : shown.image && h('span', { class: 'no-image' }, icon('image'), 'Image'),
            ),
        );
        replace(
            ask,
            canAsk() &&
                h('p', { class: 'hint' }, 'The image comes from another server. ', button('Load it', load, 'quiet')),
        );
    }

    function canAsk() {
        return /^https:\/\/\S+$/i.test(last.image ?? '') && last.image !== allowed;
    }

    function load() {
        allowed = last.image;
        update(last);
    }

    function large(address) {
        const image = h('img', { class: 'large', alt: 'Image of the notification' });
        image.addEventListener('error', () =>
            image.replaceWith(h('span', { class: 'no-image' }, icon('warning'), 'The image does not load')),
        );
        image.src = address;
        return image;
    }
}
